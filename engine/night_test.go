package engine_test

import (
	"testing"
	"time"

	"deskbell/engine"
)

// TestNightOfTheAwake checks that a night is none as far as somebody was awake in it, and
// that it comes first in what is told at once: no session is left without a status.
func TestNightOfTheAwake(t *testing.T) {
	p := process(41)
	e := engine.New(engine.DefaultLimits())
	e.Apply(t0, engine.Event{By: engine.Process, Who: engine.Who{Tool: "tool"}, Fact: engine.Table{Runs: []engine.Who{p}}})
	e.Apply(t0.Add(time.Minute), engine.Event{By: engine.Hook, Who: p, Fact: engine.Prompted{Human: true}})
	at := t0.Add(time.Hour)
	e.Apply(at, engine.Event{By: engine.Hook, Who: p, Fact: engine.Finished{}}, engine.Event{At: at, Fact: engine.Slept{Since: t0.Add(-time.Hour)}})
	s := e.Snapshot(false).Sessions
	if len(s) != 1 || s[0].Status != engine.Waiting || !s[0].Since.Equal(at) {
		t.Errorf("got %+v", s)
	}
}
