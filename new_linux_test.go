package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/testdata/bus"
)

// soon is longer than a loaded machine takes to show a window.
const soon = 30 * time.Second

// screen is a desktop that nobody sits at.
type screen struct {
	*testing.T
	dir string
}

func newScreen(t *testing.T, programs [][2]string) screen {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, p := range append(programs, [][2]string{
		{"Xvfb", "xvfb"}, {"dbus-run-session", "dbus"}, {"openbox", "openbox"}, {"xdotool", "xdotool"}, {"wmctrl", "wmctrl"}, {"xsetroot", "x11-xserver-utils"},
		{"xfconf-query", "xfconf"},
	}...) {
		bus.Need(t, p[0], p[1])
	}
	dir, err := os.MkdirTemp("", "new") // t.TempDir is too long for the name of a socket
	if err != nil {
		t.Fatal(err)
	}
	d := screen{t, dir}
	t.Cleanup(func() { d.script("stop"); os.RemoveAll(dir) })
	d.script("start", "--no-panel", "--no-notify")
	return d
}

// script runs the desktop's script, and returns what it prints.
func (d screen) script(args ...string) string {
	d.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), soon) // also at the end of a test
	defer cancel()
	cmd := exec.CommandContext(ctx, "testdata/desktop/desktop.sh", args...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "DESKTOP_DIR="+filepath.Join(d.dir, "d"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.Fatalf("desktop.sh %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (d screen) until(what string, is func() bool) {
	d.Helper()
	limit := time.NewTimer(soon)
	defer limit.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-limit.C:
			d.Fatalf("not within %s: %s", soon, what)
		case <-tick.C:
		}
	}
}

// TestNew opens sessions in real terminals, in folders whose names a shell would run
// (C117): the tool runs in that folder, in a terminal of ours, and nothing is executed.
func TestNew(t *testing.T) {
	terminals := []string{"xterm", "xfce4-terminal", "kitty", "konsole"}
	var needs [][2]string
	for _, name := range terminals {
		needs = append(needs, [2]string{name, name})
	}
	d := newScreen(t, needs)
	home := filepath.Join(d.dir, "h")
	bin := filepath.Join(home, ".local", "bin")
	for _, dir := range []string{bin, filepath.Join(home, "config", "deskbell"), filepath.Join(home, "run")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	// What stands for the tool tells where it is, and with which arguments.
	script := "#!/bin/sh\n" + `printf '%s\n' "$PWD" "$AGENT_MANAGER_TERMINAL_ID" "$(tty)" "$CLAUDECODE$STY$TMUX" "$#" "$1" >"$HOME/told.new"; mv "$HOME/told.new" "$HOME/told"; exec sleep 1000` + "\n"
	if err := os.WriteFile(filepath.Join(bin, "agent"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{us + "=1", "HOME=" + home, "XDG_RUNTIME_DIR=" + filepath.Join(home, "run"), "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "PATH=/usr/local/bin:/usr/bin:/bin", "SHELL=/bin/sh", "LANG=C.UTF-8", "LIBGL_ALWAYS_SOFTWARE=1",
		"CLAUDECODE=1", "TMUX=/nowhere,1,0"}
	for _, line := range strings.Split(d.script("env"), "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		if name, value, ok := strings.Cut(line, "="); ok && (name == "DISPLAY" || name == "DBUS_SESSION_BUS_ADDRESS") {
			env = append(env, name+"="+strings.Trim(value, "';"))
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	configure := func(terminal string) {
		text := "[terminal]\ncommand = [" + strconv.Quote(terminal) + "]\n[tools.claude]\ncommand = [\"agent\", \"it's $(touch x)\"]\n"
		if err := os.WriteFile(filepath.Join(home, "config", "deskbell", "config.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	deskbell := func(args ...string) *exec.Cmd {
		ctx, cancel := context.WithTimeout(context.Background(), 2*soon)
		t.Cleanup(cancel)
		c := exec.CommandContext(ctx, self, args...)
		c.Args[0] = "deskbell"
		c.Env, c.Dir, c.WaitDelay = env, home, time.Second
		return c
	}
	for i, terminal := range terminals {
		configure(terminal)
		run := deskbell()
		run.Stderr = os.Stderr
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		d.until("deskbell runs", func() bool { return deskbell("status").Run() == nil })
		for _, name := range []string{"My $(touch x) 'Project' \"" + strconv.Itoa(i), "-ü日本 `touch x`; touch x"} {
			dir := filepath.Join(home, "w", name)
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			out, err := deskbell("new", "--tool", "claude", "--room", "back end", "--label", "heavy", dir).CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v: %s", terminal, err, out)
			}
			told := filepath.Join(home, "told")
			d.until(terminal+": the tool runs", func() bool { _, err := os.Stat(told); return err == nil })
			text, err := os.ReadFile(told)
			if err != nil {
				t.Fatal(err)
			}
			_ = os.Remove(told)
			said := strings.Split(string(text), "\n")
			status, err := deskbell("status", "--json").Output()
			if err != nil {
				t.Fatal(err)
			}
			var s engine.Snapshot
			if err := json.Unmarshal(status, &s); err != nil {
				t.Fatal(err)
			}
			i := 0
			for i < len(s.Sessions) && string(s.Sessions[i].ID) != strings.Fields(string(out))[0] {
				i++
			}
			if i == len(s.Sessions) {
				t.Fatalf("%s: %s is not listed: %s", terminal, out, status)
			}
			one := s.Sessions[i]
			if said[0] != dir || one.Dir != dir || said[1] != one.Terminal || said[2] != one.TTY || said[3] != "" || said[4] != "1" || said[5] != "it's $(touch x)" {
				t.Errorf("%s: the tool says %q, its card %+v", terminal, said, one)
			}
			if !one.Hosted || one.Room != "back end" || one.Label == nil || one.Label.Name != "HEAVY" || one.Status != engine.Connecting {
				t.Errorf("%s: got %+v", terminal, one)
			}
		}
		_ = run.Process.Signal(os.Interrupt)
		if err := run.Wait(); err != nil {
			t.Error(err)
		}
	}
	if found, _ := filepath.Glob(filepath.Join(home, "w", "*", "x")); found != nil {
		t.Errorf("a name was executed: %v", found)
	}
	if found, _ := filepath.Glob(filepath.Join(home, "x")); found != nil {
		t.Errorf("a name was executed: %v", found)
	}
	out, err := deskbell("new", filepath.Join(home, "w")).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "not running") {
		t.Errorf("without a running deskbell: %v: %s", err, out)
	}
}
