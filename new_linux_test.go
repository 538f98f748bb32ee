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
)

// TestNew opens sessions in real terminals, in folders whose names a shell would run
// (C117): the tool runs in that folder, in a terminal of ours, and nothing is executed.
func TestNew(t *testing.T) {
	terminals := []string{"xterm", "xfce4-terminal", "kitty", "konsole"}
	var needs [][2]string
	for _, name := range terminals {
		needs = append(needs, [2]string{name, name})
	}
	d := newSeat(t, needs...)
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
		d.until(saying("deskbell runs"), func() bool { return deskbell("status").Run() == nil })
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
			d.until(saying(terminal+": the tool runs"), func() bool { _, err := os.Stat(told); return err == nil })
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
