package client

import (
	"os"
	"testing"
)

func TestCaller(t *testing.T) {
	tree := map[int]program{
		10: {name: "systemd", parent: 1, ticks: 1},
		20: {name: "kitty", parent: 10, ticks: 2},
		30: {name: "zsh", parent: 20, ticks: 3},
		40: {name: "claude", parent: 30, ticks: 4, tty: "/dev/pts/1"},
		41: {name: "sh", parent: 40, ticks: 5},
		42: {name: "timeout", parent: 41, ticks: 6},
		50: {name: "sh", parent: 10, ticks: 7},
		60: {name: "sh", parent: 60, ticks: 8},
		70: {name: "sh", parent: 77, ticks: 9},
	}
	look := func(pid int) (program, bool) { p, ok := tree[pid]; return p, ok }
	for _, c := range []struct {
		name, tool, named string
		parent            int
		want              int
		ticks             uint64
	}{
		{"the CLI itself", "codex", "", 40, 40, 4},
		{"through shells", "codex", "", 42, 40, 4},
		{"named", "claude", "40", 20, 40, 4},
		{"named, but not to be seen", "claude", "4711", 42, 4711, 0},
		{"named for another CLI", "codex", "20", 42, 40, 4},
		{"named badly", "claude", "x40", 42, 40, 4},
		{"named as nobody", "claude", "1", 42, 40, 4},
		{"an orphan of a manager", "claude", "", 50, 0, 0},
		{"an orphan", "claude", "", 1, 0, 0},
		{"a circle", "claude", "", 60, 0, 0},
		{"gone meanwhile", "claude", "", 70, 0, 0},
	} {
		pid, p := caller(c.tool, c.named, c.parent, look)
		if pid != c.want || p.ticks != c.ticks {
			t.Errorf("%s: got %d, started at %d, want %d, %d", c.name, pid, p.ticks, c.want, c.ticks)
		}
	}
}

// TestLook checks what the system tells of a process that is known: this one.
func TestLook(t *testing.T) {
	p, ok := look(os.Getpid())
	if !ok {
		t.Skip("processes cannot be looked up here")
	}
	if p.parent != os.Getppid() || p.ticks == 0 || p.name == "" {
		t.Errorf("got %+v, want the parent %d", p, os.Getppid())
	}
	if _, ok := look(1 << 30); ok {
		t.Error("there is a process 1<<30")
	}
}
