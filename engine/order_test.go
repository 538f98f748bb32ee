package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"deskbell/engine"
)

// TestOrderDoesNotMatter checks that events which arrive out of order, or twice, lead
// to the same verdict, as long as they say when they happened.
func TestOrderDoesNotMatter(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 5))
		at, listed := t0, r.IntN(2) == 0
		var evs []engine.Event
		for range 15 {
			at = at.Add(time.Duration(1+r.IntN(40_000)) * time.Millisecond)
			evs = append(evs, dated(r, at, listed))
		}
		verdict := func(evs []engine.Event) string {
			e := engine.New(engine.DefaultLimits())
			for _, ev := range begin(listed) {
				e.Apply(ev.at, ev.ev)
			}
			e.Apply(at.Add(time.Second), evs...)
			e.Apply(at.Add(2 * time.Second))
			for _, s := range e.Snapshot(true).Sessions {
				if s.ID == "s1" {
					return fmt.Sprint(s.Status, " ", s.Reason.Rule, " since ", s.Reason.Since.Sub(t0), " loud ", s.Loud, " ", s.Trouble,
						" asks ", s.Asks, "/", s.AsksBy, "/", s.AsksOpen, " doing ", s.Doing, " shells ", s.Shells, " agents ", s.Agents, " ", s.Title, " ", s.PermissionMode, " ", s.Unseen)
				}
			}
			return "gone"
		}
		want := verdict(evs)
		for range 6 {
			mixed := slices.Clone(evs)
			for range 4 {
				mixed = append(mixed, evs[r.IntN(len(evs))])
			}
			r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			if got := verdict(mixed); got != want {
				t.Errorf("seed %d:\nin order %s\nmixed    %s", seed, want, got)
				for _, ev := range evs {
					t.Logf("%v by %v: %T%+v", ev.At.Sub(t0), ev.By, ev.Fact, ev.Fact)
				}
				return
			}
		}
	}
}

// dated draws an event of session a that happened at t. Answers are left out: they
// come after what they were asked about.
func dated(r *rand.Rand, t time.Time, listed bool) engine.Event {
	for {
		ev := anyEvent(r)
		p := process(41)
		switch ev.Fact.(type) {
		case engine.Table, engine.Alive, engine.Children, engine.Roster, engine.Titled, // a title is of one writer, and so is a list
			engine.Wished, engine.Hushed, engine.Coloured, engine.Checkout, engine.Measured: // as are you, and who reads what is checked out or taken
			continue
		case engine.Listed, engine.Started:
			if !listed {
				continue
			}
		}
		ev.At, ev.Who = t, engine.Who{Tool: "tool", ID: "a", Dir: p.Dir}
		if listed {
			ev.Who.PID, ev.Who.Ticks = p.PID, p.Ticks
		}
		return ev
	}
}
