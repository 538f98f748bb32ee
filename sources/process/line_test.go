package process

import (
	"os"
	"os/exec"
	"testing"

	"deskbell/sources"
)

func TestLine(t *testing.T) {
	c := spawn(t, "wait", func(c *exec.Cmd) { c.Env = append(c.Env, "TMUX_PANE=%7", "SECRET_OF_THE_TEST=x") })
	line := Line(c.Process.Pid)
	if len(line) < 2 || line[0].PID != c.Process.Pid || line[1].PID != os.Getpid() {
		t.Fatalf("got %+v", line)
	}
	if got := line[0].Env; got["TMUX_PANE"] != "%7" || got["SECRET_OF_THE_TEST"] != "" {
		t.Errorf("got %q", got)
	}
	if line[0].Ticks == 0 || len(line[0].Args) == 0 {
		t.Errorf("got %+v", line[0])
	}
	c.Process.Kill()
	c.Wait()
	if line := Line(c.Process.Pid); len(line) != 0 {
		t.Errorf("one that is gone: got %+v", line)
	}
	if line := Line(0); len(line) != 0 {
		t.Errorf("none: got %+v", line)
	}
}

func TestIn(t *testing.T) {
	agent := sources.Proc{PID: 3, Parent: 2, Env: map[string]string{"TMUX": "/t,1,0"}}
	shell := sources.Proc{PID: 2, Parent: 1, Name: "bash"}
	for _, tt := range []struct {
		name string
		line []sources.Proc
		want string
	}{
		{"none", nil, ""},
		{"by an ancestor", []sources.Proc{agent, shell, {PID: 1, Name: "xterm"}}, "xterm"},
		{"by its variables", []sources.Proc{agent, shell}, "tmux"},
	} {
		if got := In(tt.line); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
