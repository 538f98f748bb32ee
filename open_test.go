package main

import (
	"os"
	"strings"
	"testing"

	"deskbell/engine"
	"deskbell/sources"
)

// TestPane checks that nobody is brought to a process that is not the session's (C47).
func TestPane(t *testing.T) {
	self, ok := pane(os.Getpid())
	if !ok || self.PID != os.Getpid() || len(self.Up) == 0 || self.Up[0].PID != os.Getppid() {
		t.Fatalf("got %+v, %v", self, ok)
	}
	b := &bell{clis: []sources.CLI{{Name: "toy", Runs: func(p sources.Proc) (engine.Who, bool) { return engine.Who{}, p.PID == os.Getpid() }}, {Name: "mute"}}}
	live := engine.Session{Tool: "toy", PID: os.Getpid(), TTY: self.TTY, Status: engine.Idle, RunsIn: "VS Code"}
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
		{"of another program", func(s *engine.Session) { s.PID = os.Getppid() }, "is not here any more"},
		{"of another tool", func(s *engine.Session) { s.Tool = "mute" }, "is not here any more"},
		{"on another terminal", func(s *engine.Session) { s.TTY = "/dev/pts/999" }, "its process has left the terminal /dev/pts/999"},
	} {
		s := live
		tt.change(&s)
		p, err := b.pane(s)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
		if err == nil && (p.PID != os.Getpid() || p.RunsIn == "") {
			t.Errorf("%s: got %+v", tt.name, p)
		}
	}
}
