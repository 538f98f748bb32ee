package terminal

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"deskbell/sources"
)

func TestWindows(t *testing.T) {
	const own = "is in front, but does not tell which of its tabs it is: look for /dev/pts/3"
	up := []sources.Proc{{PID: 20}, {PID: 30}, {PID: 40}}
	two := []window{{id: 31, pid: 30, title: "app - Code"}, {id: 32, pid: 30, title: "api-app - Code"}}
	for _, tt := range []struct {
		name    string
		runsIn  string
		env     map[string]string
		windows []window
		active  uint64
		held    int
		looking string
		raised  uint64
		err     string // how it ends
	}{
		{"the only one", "xterm", nil, []window{{id: 31, pid: 30}}, 31, 0, "yes", 31, ""},
		{"not in front", "xterm", nil, []window{{id: 31, pid: 30}}, 9, 0, "no", 31, ""},
		{"none is in front", "xterm", nil, []window{{id: 31, pid: 30}}, 0, 0, "no", 31, ""},
		{"the nearest ancestor's", "xterm", nil, []window{{id: 41, pid: 40}, {id: 31, pid: 30}}, 41, 0, "no", 31, ""},
		{"no window of anybody's", "xterm", nil, []window{{id: 9, pid: 99}}, 9, 0, "unknown", 0, "no window of xterm (/dev/pts/3): go there yourself"},
		{"a window of nobody's", "xterm", nil, []window{{id: 9}}, 9, 0, "unknown", 0, "no window of xterm (/dev/pts/3): go there yourself"},
		{"a dialog is none", "xterm", nil, []window{{id: 9, pid: 30, dialog: true}, {id: 31, pid: 30}}, 31, 0, "yes", 31, ""},
		{"WINDOWID of several", "xfce4-terminal", map[string]string{"WINDOWID": "32"}, two, 32, 2, "yes", 32, ""},
		{"and the other is in front", "xfce4-terminal", map[string]string{"WINDOWID": "32"}, two, 31, 2, "no", 32, ""},
		{"WINDOWID of another terminal", "xfce4-terminal", map[string]string{"WINDOWID": "41"}, append([]window{{id: 41, pid: 40}}, two...), 31, 2,
			"unknown", 0, "xfce4-terminal has 2 windows and does not tell which of them is the one: go there yourself"},
		{"no WINDOWID under Wayland", "xterm", map[string]string{"WINDOWID": "94239011889712"}, []window{{id: 94239011889712 & 0xffffffff, pid: 30}, {id: 32, pid: 30}}, 32, 0,
			"unknown", 0, "xterm has 2 windows and does not tell which of them is the one: go there yourself"},
		{"two and none is named (C46)", "gnome-terminal", nil, two, 31, 2, "unknown", 0, "does not tell which of them is the one: go there yourself"},
		{"two and none is in front", "gnome-terminal", nil, two, 9, 2, "no", 0, "does not tell which of them is the one: go there yourself"},
		{"as many terminals as windows", "gnome-terminal", nil, two[:1], 31, 1, "yes", 31, ""},
		{"tabs (C100)", "gnome-terminal", nil, two[:1], 31, 2, "unknown", 31, own},
		{"tabs of a window behind", "gnome-terminal", nil, two[:1], 9, 2, "no", 31, own},
		{"not known how many", "kgx", nil, two[:1], 31, -1, "unknown", 31, own},
		{"an editor's, by the folder", "VS Code", nil, two, 31, -1, "unknown", 31, ""},
		{"over SSH", "ssh", nil, two[:1], 31, 1, "unknown", 0, "it is shown on another machine, over ssh: go there yourself"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, nil)
			raised := f.on(0)
			f.desks[0].look = func(context.Context, func(string) string, Pane) (view, error) {
				return view{windows: tt.windows, active: tt.active}, nil
			}
			f.held = func(pid int) (int, bool) { return tt.held, pid == 30 && tt.held >= 0 }
			p := Pane{PID: 10, TTY: "/dev/pts/3", Dir: "/w/app", RunsIn: tt.runsIn, Env: tt.env, Up: up}
			got := "unknown"
			if yes, known := f.Looking(t.Context(), p); yes && known {
				got = "yes"
			} else if known {
				got = "no"
			}
			if got != tt.looking {
				t.Errorf("looking: got %s, want %s", got, tt.looking)
			}
			if len(*raised) > 0 {
				t.Errorf("looking raised %v (C102)", *raised)
			}
			err := f.Focus(t.Context(), p)
			if (err == nil) != (tt.err == "") || err != nil && !strings.HasSuffix(err.Error(), tt.err) {
				t.Errorf("got %v, want %s", err, tt.err)
			}
			if want := []uint64{tt.raised}; tt.raised != 0 && !slices.Equal(*raised, want) || tt.raised == 0 && len(*raised) > 0 {
				t.Errorf("raised %v, want %d", *raised, tt.raised)
			}
		})
	}
}

// Where nobody can be asked, and where nobody raises anything, it is said what to do (C103).
func TestNoDesk(t *testing.T) {
	p := Pane{PID: 10, TTY: "/dev/pts/3", RunsIn: "kgx", Command: "claude attach 7"}
	f := newFake(t, nil)
	err := f.Focus(t.Context(), p)
	if want := "this desktop lets nobody raise a window of another program: go to kgx (/dev/pts/3) yourself: run `claude attach 7`"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	f.on(0)
	f.desks[0].look = func(context.Context, func(string) string, Pane) (view, error) { return view{}, errors.New("away") }
	if err := f.Focus(t.Context(), p); err == nil || !strings.HasPrefix(err.Error(), "fake does not answer (away): go to kgx") {
		t.Errorf("got %v", err)
	}
	f.on(0, 10)
	f.desks[0].raise = func(context.Context, func(string) string, uint64) error { return errors.New("it flashes") }
	if err := f.Focus(t.Context(), p); err == nil || !strings.HasPrefix(err.Error(), "fake did not bring it to the front (it flashes): go to kgx") {
		t.Errorf("got %v", err)
	}
	var b *Blocked
	if !errors.As(f.Focus(t.Context(), p), &b) || b.Command != p.Command {
		t.Errorf("got %+v", b)
	}
}

// Behind a screen saver nobody looks, and where it is not known what is in front, neither
// is that.
func TestHidden(t *testing.T) {
	f := newFake(t, nil)
	f.on(0)
	p := Pane{PID: 10, RunsIn: "xterm"}
	for _, tt := range []struct {
		v          view
		yes, known bool
	}{{view{}, true, true}, {view{away: true}, false, true}, {view{blind: true}, false, false}} {
		tt.v.windows, tt.v.active = []window{{id: 1, pid: 10}}, 1
		f.desks[0].look = func(context.Context, func(string) string, Pane) (view, error) { return tt.v, nil }
		if yes, known := f.Looking(t.Context(), p); yes != tt.yes || known != tt.known {
			t.Errorf("%+v: got %v %v", tt.v, yes, known)
		}
	}
}

func TestDisplay(t *testing.T) {
	f := newFake(t, nil)
	f.getenv = func(string) string { return ":0" }
	for display, want := range map[string]string{":7": ":7", "unix:3": "unix:3", "localhost:10.0": ":0", "": ":0"} {
		if got := f.env(Pane{Env: map[string]string{"DISPLAY": display}})("DISPLAY"); got != want {
			t.Errorf("%q: got %q, want %q", display, got, want)
		}
	}
}

func TestQuoted(t *testing.T) {
	got := quoted("tmux", "attach", "-t", "it's $(mine)", "", "a/b.c:1")
	if want := `tmux attach -t 'it'\''s $(mine)' '' a/b.c:1`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
