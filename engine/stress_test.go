package engine_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"deskbell/engine"
)

// shift is what one session's hooks tell in a minute of work: turns of calls, dialogs
// and sub-agents, 20 events a second, and then an end that is known.
func shift(r *rand.Rand, id string, pid int, start time.Time) (evs []engine.Event, end engine.Status) {
	who := engine.Who{Tool: "tool", ID: id, PID: pid, Ticks: 7, Dir: "/w/" + id}
	at := start
	say := func(f engine.Fact) {
		evs = append(evs, engine.Event{At: at, By: engine.Hook, Who: who, Fact: f})
		at = at.Add(time.Duration(30+r.IntN(40)) * time.Millisecond)
	}
	calls := 0
	open := func(agent string) (call, key string) {
		calls++
		call, key = fmt.Sprint(id, "-", calls), fmt.Sprint("key", calls)
		say(engine.CallOpened{Call: call, Name: "Bash", Quiet: engine.Always, Key: key, Agent: agent})
		return call, key
	}
	say(engine.Started{})
	for at.Sub(start) < time.Minute {
		say(engine.Prompted{Human: true})
		for range 1 + r.IntN(8) {
			agent := []string{"", "", "x"}[r.IntN(3)]
			call, key := open(agent)
			if r.IntN(3) == 0 {
				say(engine.Asked{Key: key, Name: "Bash", Agent: agent, Question: r.IntN(4) == 0})
			}
			say(engine.CallClosed{Call: call, Agent: agent})
		}
		say(engine.Finished{Agent: "x"})
		say(engine.Finished{})
	}
	at = at.Add(3 * time.Second) // whatever is late has come by the end
	switch end = []engine.Status{engine.Waiting, engine.Working, engine.Approval, engine.Input, engine.Prompting, engine.Ended}[r.IntN(6)]; end {
	case engine.Working:
		say(engine.Prompted{Human: true})
		open("")
	case engine.Approval, engine.Input:
		say(engine.Prompted{Human: true})
		_, key := open("x")
		say(engine.Asked{Key: key, Name: "Bash", Agent: "x", Question: end == engine.Input})
		say(engine.Finished{Running: 1}) // the leader's turn ends before its sub-agent's dialog is answered
	case engine.Prompting:
		say(engine.Prompted{Human: true})
	case engine.Ended:
		say(engine.Closed{})
	}
	return evs, end
}

// TestStress has 50 sessions report 20 events a second each, half of them twice or late
// by up to two seconds, and looks whether every status is right in the end.
func TestStress(t *testing.T) {
	start := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	for seed := range uint64(1) {
		r := rand.New(rand.NewPCG(seed, 50))
		type arrival struct {
			at time.Time
			ev engine.Event
		}
		var all []arrival
		want := map[string]engine.Status{}
		for i := range 50 {
			id := fmt.Sprint("a", i)
			evs, end := shift(r, id, 100+i, start)
			lives := engine.Event{At: start, By: engine.Process, Who: engine.Who{Tool: "tool", PID: 100 + i, Ticks: 7}, Fact: engine.Alive{Yes: true}}
			all = append(all, arrival{start.Add(3 * time.Second), lives}) // by then the session is known
			want[id] = end
			for _, ev := range evs {
				late := func() time.Time { return ev.At.Add(time.Duration(r.IntN(2000)) * time.Millisecond) }
				switch r.IntN(4) {
				case 0:
					all = append(all, arrival{late(), ev})
				case 1:
					all = append(all, arrival{ev.At, ev}, arrival{late(), ev})
				default:
					all = append(all, arrival{ev.At, ev})
				}
			}
		}
		slices.SortStableFunc(all, func(a, b arrival) int { return a.at.Compare(b.at) })
		e := engine.New(engine.DefaultLimits())
		for _, a := range all {
			e.Apply(a.at, a.ev)
		}
		e.Apply(all[len(all)-1].at.Add(2 * time.Second))
		got := map[string]engine.Status{}
		for _, s := range e.Snapshot(true).Sessions {
			got[s.SessionID] = s.Status
		}
		if !maps.Equal(got, want) {
			for id, s := range want {
				if got[id] != s {
					t.Errorf("seed %d: %s is %v, want %v", seed, id, got[id], s)
				}
			}
		}
		if len(all) < 60_000 {
			t.Errorf("only %d events", len(all))
		}
	}
}
