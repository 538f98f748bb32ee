package process

import (
	"os"
	"slices"
	"testing"
	"time"

	"deskbell/engine"
)

func TestChildrenYoungerThanTheCall(t *testing.T) {
	before := time.Now()
	c := spawn(t, "fork", nil)
	after := time.Now().Add(time.Second)
	r := start(t)
	r.table()
	for _, tt := range []struct {
		name  string
		pid   int
		since time.Time
		want  bool
	}{
		{"a child that began later", c.Process.Pid, before, true},
		{"a child that was there before", c.Process.Pid, after, false},
		{"no child", c.ready, before, false},
		{"a process that is gone counts as running", 1 << 22, before, true},
		{"as does one that is not known", 0, before, true},
	} {
		r.Answer(engine.Question{Ask: engine.AskChildren, Who: engine.Who{Tool: "toy", PID: tt.pid}, Call: "7", Since: tt.since})
		ev := r.next()
		if got := ev.Fact; got != (engine.Children{Call: "7", Yes: tt.want}) || ev.Who.PID != tt.pid {
			t.Errorf("%s: got %+v", tt.name, ev)
		}
	}
}

func TestChildrenAreFoundEitherWay(t *testing.T) {
	c := spawn(t, "wait", nil)
	for name, of := range map[string]func(int) ([]int, error){"offspring": offspring, "sought": sought} {
		list, err := of(os.Getpid())
		if err != nil || !slices.Contains(list, c.Process.Pid) {
			t.Errorf("%s: got %v, %v", name, list, err)
		}
	}
}

func TestSyncWaitsForTheScan(t *testing.T) {
	r := start(t)
	r.table()
	c := spawn(t, "wait", nil)
	r.Answer(engine.Question{Ask: engine.AskProcesses})
	if err := r.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(r.events) == 0 {
		t.Fatal("nothing was told")
	}
	if _, ok := r.table()[c.Process.Pid]; !ok {
		t.Error("the child was not found")
	}
}
