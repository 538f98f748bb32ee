package engine_test

import (
	"fmt"
	"testing"
	"time"

	"deskbell/engine"
)

// BenchmarkApply is one event of one of 50 working sessions, each with 400 calls
// behind it (SPEC section 16: 20 000 events a second).
func BenchmarkApply(b *testing.B) {
	e := engine.New(engine.DefaultLimits())
	now := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	who := func(i int) engine.Who {
		return engine.Who{Tool: "tool", ID: fmt.Sprint("id", i), PID: 100 + i, Ticks: 1, Dir: "/w"}
	}
	for i := range 50 {
		e.Apply(now, engine.Event{By: engine.Listing, Who: who(i), Fact: engine.Listed{Level: engine.ListedIdle}})
		e.Apply(now, engine.Event{By: engine.Process, Who: who(i), Fact: engine.Alive{Yes: true}})
		for c := range 400 {
			call := fmt.Sprint("c", c)
			e.Apply(now, engine.Event{By: engine.Transcript, Who: who(i), Fact: engine.CallOpened{Call: call}},
				engine.Event{By: engine.Transcript, Who: who(i), Fact: engine.CallClosed{Call: call}})
		}
	}
	facts := []engine.Fact{
		engine.Prompted{Human: true}, engine.CallOpened{Call: "x", Name: "Bash", Quiet: engine.Slow}, engine.Wrote{},
		engine.CallClosed{Call: "x"}, engine.Replied{}, engine.Finished{},
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		now = now.Add(time.Millisecond)
		w := who(n % 50)
		w.PID, w.Ticks = 0, 0
		e.Apply(now, engine.Event{By: engine.Transcript, Who: w, Fact: facts[n/50%len(facts)]})
		n++
	}
}
