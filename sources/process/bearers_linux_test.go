package process

import (
	"os/exec"
	"testing"
	"time"

	"deskbell/engine"
)

// TestBearers looks for the processes of a call, by the id they carry, whoever started
// them.
func TestBearers(t *testing.T) {
	r := start(t)
	r.table()
	before := time.Now()
	spawn(t, "wait", func(c *exec.Cmd) { c.Env = append(c.Env, "TOY_CALL=call_1") })
	for _, tt := range []struct {
		name, tool, call string
		since            time.Time
		want             bool
	}{
		{"one that runs", "toy", "call_1", before, true},
		{"another call", "toy", "call_", before, false},
		{"one that began before", "toy", "call_1", time.Now().Add(time.Minute), false},
	} {
		r.Answer(engine.Question{Ask: engine.AskBearers, Who: engine.Who{Tool: tt.tool}, Call: tt.call, Since: tt.since})
		if ev := r.next(); ev.Fact != (engine.Children{Call: tt.call, Yes: tt.want, Own: true}) {
			t.Errorf("%s: got %+v", tt.name, ev)
		}
	}
	r.Answer(engine.Question{Ask: engine.AskBearers, Who: engine.Who{Tool: "other"}, Call: "call_1", Since: before}) // of a tool that says nothing there
	r.Answer(engine.Question{Ask: engine.AskBearers, Who: engine.Who{Tool: "toy"}, Call: "last", Since: before})
	if ev := r.next(); ev.Fact != (engine.Children{Call: "last", Own: true}) {
		t.Errorf("got %+v", ev)
	}
}
