package engine_test

import (
	"strconv"
	"testing"
	"time"

	"deskbell/engine"
)

// talk returns an engine, and a function that tells it of who 100 ms later each time.
func talk(who engine.Who) (*engine.Engine, func(engine.Witness, engine.Fact)) {
	e, now := engine.New(engine.DefaultLimits()), t0
	return e, func(by engine.Witness, f engine.Fact) {
		now = now.Add(100 * time.Millisecond)
		e.Apply(now, engine.Event{At: now, By: by, Who: who, Fact: f})
	}
}

// TestLongTurn checks that a dialog which the result of its call has ended stays so for
// as long as the turn runs, however many calls follow and where nothing else tells.
func TestLongTurn(t *testing.T) {
	who := process(41)
	who.Dir = "/w/app"
	e, tell := talk(who)
	call := func(id, key string) {
		tell(engine.Transcript, engine.CallOpened{Call: id, Name: "Bash", Quiet: engine.Slow, Key: key})
	}
	status := func() engine.Status { return e.Snapshot(true).Sessions[0].Status }
	tell(engine.Hook, engine.Prompted{Human: true})
	tell(engine.Process, engine.Alive{Yes: true})
	call("first", "K")
	tell(engine.Hook, engine.Asked{Key: "K", Name: "Bash"})
	if got := status(); got != engine.Approval {
		t.Fatalf("with a dialog it is %v", got)
	}
	tell(engine.Transcript, engine.CallClosed{Call: "first"})
	for i := range 2000 {
		id := strconv.Itoa(i)
		call(id, id)
		if got := status(); got != engine.Working {
			t.Fatalf("after %d more calls it is %v", i, got)
		}
		tell(engine.Transcript, engine.CallClosed{Call: id})
	}
}

// TestManyDialogs checks that an open dialog outlives any number of answered ones.
func TestManyDialogs(t *testing.T) {
	who := process(41)
	e, tell := talk(who)
	tell(engine.Hook, engine.Prompted{Human: true})
	tell(engine.Process, engine.Alive{Yes: true})
	tell(engine.Hook, engine.Asked{Key: "K", Name: "Bash", Agent: "slow", Text: "open"})
	for i := range 100 {
		id := strconv.Itoa(i)
		tell(engine.Hook, engine.Asked{Key: id, Name: "Bash", Agent: "quick"})
		tell(engine.Hook, engine.CallOpened{Call: id, Name: "Bash", Quiet: engine.Slow, Key: id, Agent: "quick"})
		tell(engine.Hook, engine.CallClosed{Call: id})
		if s := e.Snapshot(true).Sessions[0]; s.Status != engine.Approval || s.Asks != "Bash: open" {
			t.Fatalf("after %d more dialogs it is %v: %q", i, s.Status, s.Asks)
		}
	}
}

// TestManyAgents checks that sub-agents whose end nobody tells do not pile up.
func TestManyAgents(t *testing.T) {
	who := process(41)
	e, tell := talk(who)
	tell(engine.Hook, engine.Prompted{Human: true})
	tell(engine.Process, engine.Alive{Yes: true})
	for i := range 1000 {
		tell(engine.Hook, engine.AgentRan{Agent: strconv.Itoa(i)})
	}
	list := e.Snapshot(true).Sessions[0].Agents
	if len(list) != 128 || list[127].ID != "999" {
		t.Errorf("there are %d", len(list))
	}
}
