package all_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"deskbell/sources/process"
	"deskbell/sources/terminal"
	"deskbell/testdata/bus"
)

// panes finds where processes run.
var panes = terminal.Finder{Line: process.Line, In: process.In}

// seat is a place at a desktop with a window manager, that nobody sits at.
type seat struct {
	*testing.T
	dir   string
	shown *terminal.Terminals
}

func newSeat(t *testing.T, programs ...[2]string) seat {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, p := range append(programs, [][2]string{
		{"Xvfb", "xvfb"}, {"dbus-run-session", "dbus"}, {"openbox", "openbox"}, {"xdotool", "xdotool"}, {"wmctrl", "wmctrl"}, {"xsetroot", "x11-xserver-utils"},
		{"xfconf-query", "xfconf"}, {"xterm", "xterm"},
	}...) {
		bus.Need(t, p[0], p[1])
	}
	dir, err := os.MkdirTemp("", "focus") // t.TempDir is too long for the name of a socket
	if err != nil {
		t.Fatal(err)
	}
	d := seat{t, dir, terminal.New(panes.At)}
	t.Cleanup(func() { d.script("stop"); os.RemoveAll(dir) })
	d.script("start", "--no-panel", "--no-notify")
	return d
}

// script runs the desktop's script, and returns what it prints.
func (d seat) script(args ...string) string {
	d.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), soon) // also at the end of a test
	defer cancel()
	cmd := exec.CommandContext(ctx, "../../testdata/desktop/desktop.sh", args...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "DESKTOP_DIR="+filepath.Join(d.dir, "d"), "LIBGL_ALWAYS_SOFTWARE=1", "TMUX=", "STY=", "SCREENDIR="+d.dir+"/screen")
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.Fatalf("desktop.sh %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// do runs a program on the desktop.
func (d seat) do(argv ...string) string {
	d.Helper()
	return d.script(append([]string{"run"}, argv...)...)
}

// start runs a program on the desktop until its end.
func (d seat) start(name string, argv ...string) (pid int) {
	d.Helper()
	pid, err := strconv.Atoi(d.script(append([]string{"bg", name}, argv...)...))
	if err != nil {
		d.Fatal(err)
	}
	return pid
}

// agent is a command that stands for an agent: where it runs its pid is told.
func (d seat) agent(name string) []string {
	return []string{"sh", "-c", `echo $$ >"$0.new"; mv "$0.new" "$0"; exec sleep 1000`, filepath.Join(d.dir, name)}
}

// pane waits until the agent of that name runs.
func (d seat) pane(name string) (p terminal.Pane) {
	d.Helper()
	d.until(saying(name+" runs"), func() bool {
		text, err := os.ReadFile(filepath.Join(d.dir, name))
		if err != nil {
			return false
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			d.Fatal(err)
		}
		var ok bool
		p, ok = panes.At(pid)
		return ok
	})
	return p
}

// soon is longer than a loaded machine takes to show a window.
const soon = 30 * time.Second

func saying(text string) func() string { return func() string { return text } }

func (d seat) until(what func() string, ok func() bool) {
	d.Helper()
	limit := time.NewTimer(soon)
	defer limit.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-limit.C:
			d.Fatalf("not within %s: %s", soon, what())
		case <-tick.C:
		}
	}
}

// looked tells whether you look at a pane: yes, no or unknown.
func (d seat) looked(p terminal.Pane) string {
	yes, known := d.shown.Looking(d.Context(), p)
	switch {
	case yes && known:
		return "yes"
	case known:
		return "no"
	case yes:
		d.Errorf("it is looked at, and that is not known")
	}
	return "unknown"
}

// focus goes to a pane, and sees that it and no other is looked at.
func (d seat) focus(names []string, name string) {
	d.Helper()
	if err := d.shown.Focus(d.Context(), d.pane(name)); err != nil {
		d.Fatalf("%s: %v", name, err)
	}
	d.faces(names, name)
}

// faces sees that of all panes only that one is looked at.
func (d seat) faces(names []string, name string) {
	d.Helper()
	for _, one := range names {
		want := "no"
		if one == name {
			want = "yes"
		}
		p := d.pane(one)
		got := ""
		d.until(func() string {
			return fmt.Sprintf("of %s, %s was gone to: looked at: got %s, want %s", one, name, got, want)
		}, func() bool {
			got = d.looked(p)
			return got == want
		})
	}
}

// windows waits until there are n: a new one takes the focus.
func (d seat) windows(n int) {
	d.Helper()
	got := ""
	d.until(func() string { return fmt.Sprintf("%d windows: got\n%s", n, got) }, func() bool {
		got = d.do("sh", "-c", "wmctrl -lp 2>&1 || :")
		return len(strings.Split(got, "\n")) == n
	})
}

// front is the process of the active window; while that changes there is none.
func (d seat) front() string {
	return d.do("sh", "-c", "xdotool getactivewindow getwindowpid 2>&1 || :")
}

// TestFocus goes to each of three windows and to panes of tmux in a fourth (C100, C104).
func TestFocus(t *testing.T) {
	d := newSeat(t, [2]string{"tmux", "tmux"})
	sock := filepath.Join(d.dir, "tmux sock")
	tmux := func(args ...string) string {
		d.Helper()
		return d.do(append([]string{"tmux", "-f", "/dev/null", "-S", sock}, args...)...)
	}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", sock, "kill-server").Run() })
	names := []string{"a", "b", "c", "w0", "w1", "w2", "o0"}
	pids := map[string]int{}
	for _, name := range names[:3] {
		pids[name] = d.start(name, append([]string{"xterm", "-T", "same", "-e"}, d.agent(name)...)...)
	}
	tmux(append([]string{"new-session", "-d", "-s", "my work"}, d.agent("w0")...)...)
	tmux(append([]string{"split-window", "-t", "my work"}, d.agent("w1")...)...)
	tmux(append([]string{"new-window", "-t", "my work"}, d.agent("w2")...)...)
	tmux(append([]string{"new-session", "-d", "-s", "other"}, d.agent("o0")...)...)

	d.Log("a session that is shown in no terminal")
	for _, name := range names[3:] {
		if got := d.looked(d.pane(name)); got != "unknown" {
			t.Errorf("%s: got %s, want unknown", name, got)
		}
	}
	err := d.shown.Focus(t.Context(), d.pane("w1"))
	if want := "its tmux session \"my work\" is shown in no terminal: run `tmux -S '" + sock + "' attach -t 'my work'`"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}

	first := d.start("first", "xterm", "-e", "tmux", "-S", sock, "attach", "-t", "my work")
	d.windows(4)
	d.until(saying("tmux is shown"), func() bool { return tmux("list-clients") != "" })
	for _, name := range []string{"a", "w1", "c", "w0", "w2", "b", "o0", "w1", "a"} {
		d.focus(names, name)
		want := pids[name]
		if want == 0 {
			want = first
		}
		if got := d.front(); got != fmt.Sprint(want) {
			t.Errorf("%s: the window of process %s is in front, want %d", name, got, want)
		}
		if want == first {
			if got, want := tmux("display-message", "-p", "#{pane_tty}"), d.pane(name).TTY; got != want {
				t.Errorf("%s: tmux shows %s, want %s", name, got, want)
			}
		}
	}

	d.Log("an icon, and a window on another desktop")
	d.do("xdotool", "getactivewindow", "windowminimize")
	d.until(saying("a is no more"), func() bool { return d.looked(d.pane("a")) == "no" })
	d.focus(names, "a")
	d.do("sh", "-c", "xdotool getactivewindow set_desktop_for_window 1")
	d.focus(names, "b")
	d.focus(names, "a")

	d.Log("a screen saver")
	d.do("xset", "s", "activate")
	d.faces(names, "")
	d.do("xset", "s", "reset")
	d.faces(names, "a")

	d.Log("two terminals that show it: the one that was used last is taken")
	second := d.start("second", "xterm", "-e", "tmux", "-S", sock, "attach", "-t", "my work")
	d.windows(5)
	var used string
	last := func(pid int) {
		d.Helper()
		d.until(saying("its window is there"), func() bool {
			for line := range strings.Lines(d.do("sh", "-c", "wmctrl -lp 2>&1 || :")) {
				if f := strings.Fields(line); len(f) > 2 && f[2] == fmt.Sprint(pid) {
					d.do("wmctrl", "-i", "-a", f[0])
					return d.front() == f[2]
				}
			}
			return false
		})
		d.until(saying("it is used last"), func() bool {
			d.do("xdotool", "key", "x")
			lines := strings.Fields(tmux("list-clients", "-F", "#{client_activity}|#{client_pid}"))
			if len(lines) < 2 {
				return false
			}
			at := map[string]string{}
			for _, line := range lines {
				when, client, _ := strings.Cut(line, "|")
				n, _ := strconv.Atoi(client)
				p, _ := panes.At(n)
				at[fmt.Sprint(p.Up[0].PID)] = when
			}
			used = fmt.Sprint(at)
			return at[fmt.Sprint(pid)] > at[fmt.Sprint(first+second-pid)]
		})
	}
	for _, pid := range []int{second, first} {
		last(pid)
		d.focus(names, "a")
		d.focus(names, "w0")
		if got := d.front(); got != fmt.Sprint(pid) {
			t.Errorf("the window of process %s is in front, want %d: %s", got, pid, used)
		}
	}

	d.Log("another server in the place of its own (C47)")
	stale := d.pane("w0")
	server, _ := strconv.Atoi(tmux("display-message", "-p", "#{pid}"))
	tmux("kill-server")
	d.until(saying("the server is gone"), func() bool { _, ok := panes.At(server); return !ok })
	tmux(append([]string{"new-session", "-d", "-s", "my work"}, d.agent("n0")...)...)
	fresh := d.pane("n0")
	stale.TTY = fresh.TTY // as it may happen
	if got := d.looked(stale); got != "unknown" {
		t.Errorf("got %s, want unknown", got)
	}
	if err := d.shown.Focus(t.Context(), stale); err == nil || !strings.Contains(err.Error(), "is gone and another one has its place") {
		t.Errorf("got %v", err)
	}
}

// TestFocusOfTabs goes to windows and tabs of terminals that have several in one process.
func TestFocusOfTabs(t *testing.T) {
	d := newSeat(t, [2]string{"xfce4-terminal", "xfce4-terminal"}, [2]string{"kitty", "kitty"}, [2]string{"konsole", "konsole"})
	quote := func(argv []string) string { return "'" + strings.Join(argv, "' '") + "'" }
	for _, line := range strings.Split(d.script("env"), "\n") { // for konsole, which is asked on the bus
		if name, value, _ := strings.Cut(line, "="); name == "DBUS_SESSION_BUS_ADDRESS" {
			t.Setenv(name, strings.Trim(value, "'"))
		}
	}
	names := []string{"x1", "x2", "k1", "k2", "k3", "k4", "o1"}
	d.start("xfce", "xfce4-terminal", "--disable-server", "-e", quote(d.agent("x1")), "--window", "-e", quote(d.agent("x2")))
	kit := "unix:" + filepath.Join(d.dir, "kitty")
	d.start("kitty", append([]string{"kitty", "--config", "NONE", "-o", "allow_remote_control=yes", "--listen-on", kit}, d.agent("k1")...)...)
	d.pane("k1")
	for name, kind := range map[string]string{"k2": "tab", "k3": "window", "k4": "os-window"} {
		d.do(append([]string{"kitty", "@", "--to", kit, "launch", "--type=" + kind, "--keep-focus"}, d.agent(name)...)...)
		d.pane(name)
	}
	d.start("konsole", append([]string{"konsole", "-e"}, d.agent("o1")...)...)
	d.windows(5)
	for _, name := range []string{"x1", "k1", "x2", "k2", "o1", "k4", "k3", "k1", "k4", "o1", "x1"} {
		d.focus(names, name)
	}

	d.Log("a second tab, of which nobody tells which it is")
	d.start("tabs", "xfce4-terminal", "--disable-server", "-e", quote(d.agent("t1")), "--tab", "-e", quote(d.agent("t2")))
	d.pane("t2")
	p := d.pane("t1")
	want := "xfce4-terminal is in front, but does not tell which of its tabs it is: look for " + p.TTY
	var err error
	d.until(func() string { return fmt.Sprintf("got %v, want %s", err, want) }, func() bool {
		err = d.shown.Focus(t.Context(), p)
		return err != nil && err.Error() == want
	})
	if got := d.looked(p); got != "unknown" {
		t.Errorf("got %s, want unknown", got)
	}
}
