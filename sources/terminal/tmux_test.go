package terminal

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"deskbell/sources"
)

// recorded is what tmux 3.3a printed on 2026-11-30: a session of two windows, one of them
// split, and a second session that shares the first one's windows, both shown.
const recorded = `pane|19434|%0|/dev/pts/10|19435|$0|@0|0|0|wörk | x
pane|19434|%1|/dev/pts/16|19438|$0|@0|0|1|wörk | x
pane|19434|%2|/dev/pts/17|19441|$0|@1|1|1|wörk | x
pane|19434|%0|/dev/pts/10|19435|$1|@0|1|0|shared
pane|19434|%1|/dev/pts/16|19438|$1|@0|1|1|shared
pane|19434|%2|/dev/pts/17|19441|$1|@1|0|1|shared
pane|19434|%3|/dev/pts/18|19450|$2|@2|1|1|alone
client|/dev/pts/21|300|$0|1796069980|0
client|/dev/pts/22|301|$1|1796069985|0
client|/dev/pts/23|302|$2|1796069999|1
`

// fake is a set of terminals whose commands answer what a test says, by their beginning.
type fake struct {
	Terminals
	t       *testing.T
	answers map[string]string
	ran     []string
}

func newFake(t *testing.T, answers map[string]string) *fake {
	f := &fake{t: t, answers: answers}
	f.places, f.getenv = places, func(string) string { return "" }
	f.held = func(int) (int, bool) { return 0, false }
	f.Find = func(pid int) (Pane, bool) { return Pane{PID: pid, RunsIn: "xterm"}, true }
	f.run = func(_ context.Context, env []string, argv ...string) (string, error) {
		line := strings.Join(append(env, argv...), " ")
		f.ran = append(f.ran, line)
		for begin, answer := range f.answers {
			if strings.HasPrefix(line, begin) {
				return answer, nil
			}
		}
		return "", errors.New("no server running")
	}
	return f
}

// on is a desk with a window for each of the pids, whose number is ten times as large.
func (f *fake) on(active uint64, pids ...int) (raised *[]uint64) {
	raised = &[]uint64{}
	v := view{active: active}
	for _, pid := range pids {
		v.windows = append(v.windows, window{id: uint64(pid) * 10, pid: pid})
	}
	f.desks = []desk{{
		name: "fake",
		here: func(func(string) string) bool { return true },
		look: func(context.Context, func(string) string, Pane) (view, error) { return v, nil },
		raise: func(_ context.Context, _ func(string) string, id uint64) error {
			*raised = append(*raised, id)
			return nil
		},
	}}
	return raised
}

// inTmux is an agent in a pane of the recorded server.
func inTmux(tty string) Pane {
	return Pane{PID: 50, TTY: tty, RunsIn: "tmux", Env: map[string]string{"TMUX": "/tmp/t/default,19434,0", "TMUX_PANE": "%0"}}
}

func TestLookingIntoTmux(t *testing.T) {
	for _, tt := range []struct {
		name       string
		tty        string
		active     uint64
		windows    []int
		yes, known bool
	}{
		{"the pane that is shown, in the window in front", "/dev/pts/17", 3000, []int{300, 301}, true, true},
		{"the other one of a split (C100)", "/dev/pts/10", 3010, []int{300, 301}, false, true},
		{"by the second session", "/dev/pts/16", 3010, []int{300, 301}, true, true},
		{"and not by the first", "/dev/pts/16", 3000, []int{300, 301}, false, true},
		{"only in control mode", "/dev/pts/18", 3020, []int{302}, false, true},
		{"in a window that is not in front", "/dev/pts/17", 77, []int{300, 301}, false, true},
		{"over SSH or on the console", "/dev/pts/17", 77, nil, false, false},
		{"a terminal of another server", "/dev/pts/99", 3000, []int{300}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, map[string]string{"tmux -u -S /tmp/t/default list-panes": recorded})
			f.on(tt.active, tt.windows...)
			if yes, known := f.Looking(t.Context(), inTmux(tt.tty)); yes != tt.yes || known != tt.known {
				t.Errorf("got %v %v, want %v %v", yes, known, tt.yes, tt.known)
			}
			if len(f.ran) != 1 {
				t.Errorf("looking ran %q", f.ran)
			}
		})
	}
}

func TestFocusInTmux(t *testing.T) {
	cut := func(of string, lines ...string) string {
		for _, line := range lines {
			of = strings.ReplaceAll(of, line+"\n", "")
		}
		return of
	}
	const first, second = "client|/dev/pts/21|300|$0|1796069980|0", "client|/dev/pts/22|301|$1|1796069985|0"
	for _, tt := range []struct {
		name   string
		tty    string
		tmux   string
		ran    string // after looking
		raised []uint64
		err    string
	}{
		{"there already", "/dev/pts/17", cut(recorded, second), "", []uint64{3000}, ""},
		{"another window and pane", "/dev/pts/10", cut(recorded, second), "select-window -t $0:@0 ; select-pane -t %0", []uint64{3000}, ""},
		{"by who used it last", "/dev/pts/10", recorded, "select-pane -t %0", []uint64{3010}, ""},
		{"in another session", "/dev/pts/18", cut(recorded, second), "switch-client -c /dev/pts/21 -t $2", []uint64{3000}, ""},
		{"two that were used at once", "/dev/pts/17", strings.ReplaceAll(recorded, "985", "980"), "", nil,
			"2 terminals show its tmux, and none was used last: go to one of them: run `tmux attach -t 'wörk | x'`"},
		{"shown nowhere", "/dev/pts/10", cut(recorded, first, second), "select-window -t $0:@0 ; select-pane -t %0", nil,
			"its tmux session \"wörk | x\" is shown in no terminal: run `tmux attach -t 'wörk | x'`"},
		{"a terminal of nobody's", "/dev/pts/99", recorded, "", nil,
			"no pane of its tmux has its terminal /dev/pts/99 any more: look for the session yourself"},
		{"another server in its place (C47)", "/dev/pts/17", strings.ReplaceAll(recorded, "19434", "777"), "", nil,
			"its tmux server (pid 19434) is gone and another one has its place: look for the session yourself"},
		{"no server", "/dev/pts/17", "", "", nil,
			"its tmux server (pid 19434) is gone and another one has its place: look for the session yourself"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, map[string]string{"tmux -u -S /tmp/t/default list-panes": tt.tmux, "tmux -u -S /tmp/t/default s": ""})
			raised := f.on(0, 300, 301)
			said := ""
			if err := f.Focus(t.Context(), inTmux(tt.tty)); err != nil {
				said = err.Error()
			}
			if said != tt.err {
				t.Errorf("got %q, want %q", said, tt.err)
			}
			if !slices.Equal(*raised, tt.raised) {
				t.Errorf("raised %v, want %v", *raised, tt.raised)
			}
			ran := ""
			for _, line := range f.ran[1:] {
				ran += strings.TrimPrefix(line, "tmux -u -S /tmp/t/default ")
			}
			if ran != tt.ran {
				t.Errorf("ran %q, want %q", ran, tt.ran)
			}
		})
	}
}

// Two panes may have the same names on two servers: the socket, not the pane's id, tells
// them apart (C48).
func TestTheSocketTellsTheServer(t *testing.T) {
	f := newFake(t, map[string]string{"tmux -u -S /tmp/other": recorded})
	p := inTmux("/dev/pts/17")
	if err := f.Focus(t.Context(), p); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("got %v", err)
	}
	p.Env["TMUX"] = "/tmp/other,19434,0"
	raised := f.on(0, 300, 301)
	f.answers["tmux -u -S /tmp/other"] = strings.ReplaceAll(recorded, "client|/dev/pts/22", "none")
	if err := f.Focus(t.Context(), p); err != nil || !slices.Equal(*raised, []uint64{3000}) {
		t.Errorf("got %v, raised %v", err, *raised)
	}
}

// What runs on a terminal of its own below a pane is found by who started it.
func TestBelowAPane(t *testing.T) {
	m := readTmux(recorded)
	p := inTmux("/dev/pts/40")
	p.Up = []sources.Proc{{PID: 51}, {PID: 19438}, {PID: 19434}}
	at := m.where(p)
	if len(at) != 2 || at[0].id != "%1" {
		t.Errorf("got %+v", at)
	}
}

// A tmux may be shown in a pane of another one, and in itself by mistake.
func TestTmuxInTmux(t *testing.T) {
	f := newFake(t, map[string]string{
		"tmux -u -S /tmp/t/default list-panes": recorded,
		"tmux -u -S /tmp/t/default select":     "",
		"tmux -u -S /tmp/outer list-panes":     "pane|9|%0|/dev/pts/60|61|$0|@0|1|1|o\nclient|/dev/pts/61|400|$0|5|0\n",
	})
	f.on(4000, 400)
	f.Find = func(pid int) (Pane, bool) {
		if pid == 400 {
			return Pane{PID: 400, RunsIn: "xterm"}, true
		}
		return Pane{PID: pid, TTY: "/dev/pts/60", RunsIn: "tmux", Env: map[string]string{"TMUX": "/tmp/outer,9,0"}}, true
	}
	if yes, known := f.Looking(t.Context(), inTmux("/dev/pts/17")); !yes || !known {
		t.Errorf("got %v %v", yes, known)
	}
	f.Find = func(int) (Pane, bool) { return inTmux("/dev/pts/17"), true }
	if yes, known := f.Looking(t.Context(), inTmux("/dev/pts/17")); yes || known {
		t.Errorf("in itself: got %v %v", yes, known)
	}
	if err := f.Focus(t.Context(), inTmux("/dev/pts/17")); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
		t.Errorf("in itself: got %v", err)
	}
}

// tmux is scrubbed of what a caller in a pane of its own has.
func TestStateless(t *testing.T) {
	ours := []string{"PATH=/bin", "TMUX=/tmp/x,1,0", "TMUX_PANE=%1", "HOME=/h", "ANTHROPIC_API_KEY=secret", "Path=C:\\"}
	got := scrubbed(ours, []string{"WEZTERM_UNIX_SOCKET=/s"})
	if want := []string{"PATH=/bin", "HOME=/h", "Path=C:\\", "WEZTERM_UNIX_SOCKET=/s"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
