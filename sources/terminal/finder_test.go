package terminal

import (
	"strings"
	"testing"

	"deskbell/engine"
	"deskbell/sources"
)

// TestFinder checks that nobody is brought to a process that is not the session's (C47).
func TestFinder(t *testing.T) {
	procs := map[int]sources.Proc{
		41: {PID: 41, Parent: 40, TTY: "/dev/pts/3", Dir: "/w/app", Name: "toy"},
		40: {PID: 40, Parent: 1, TTY: "/dev/pts/3", Name: "bash"},
	}
	f := Finder{
		Line: func(pid int) (line []sources.Proc) {
			for p, ok := procs[pid]; ok; p, ok = procs[p.Parent] {
				line = append(line, p)
			}
			return line
		},
		In:   func([]sources.Proc) string { return "" },
		Runs: func(tool string, p sources.Proc) bool { return tool == p.Name },
	}
	self, ok := f.At(41)
	if !ok || self.PID != 41 || self.TTY != "/dev/pts/3" || self.Dir != "/w/app" || len(self.Up) != 1 || self.Up[0].PID != 40 {
		t.Fatalf("got %+v, %v", self, ok)
	}
	if p, ok := f.At(42); ok {
		t.Errorf("of no process got %+v", p)
	}
	live := engine.Session{Tool: "toy", PID: 41, TTY: self.TTY, Status: engine.Idle, RunsIn: "VS Code"}
	for _, tt := range []struct {
		name   string
		change func(*engine.Session)
		want   string // "": it is there
	}{
		{"there", func(*engine.Session) {}, ""},
		{"ended", func(s *engine.Session) { s.Status = engine.Ended }, "it is ended and has no terminal"},
		{"asleep", func(s *engine.Session) { s.Status = engine.Asleep }, "it is asleep and has no terminal"},
		{"a peer's", func(s *engine.Session) { s.Peer = "box" }, "it runs on box"},
		{"without a process", func(s *engine.Session) { s.PID = 0 }, "its process is not known yet"},
		{"that is gone", func(s *engine.Session) { s.PID = 42 }, "is not here any more"},
		{"of another program", func(s *engine.Session) { s.PID = 40 }, "is not here any more"},
		{"of another tool", func(s *engine.Session) { s.Tool = "mute" }, "is not here any more"},
		{"on another terminal", func(s *engine.Session) { s.TTY = "/dev/pts/999" }, "its process has left the terminal /dev/pts/999"},
	} {
		s := live
		tt.change(&s)
		p, err := f.Of(s)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
		if err == nil && (p.PID != 41 || p.RunsIn != "VS Code") {
			t.Errorf("%s: got %+v", tt.name, p)
		}
	}
}
