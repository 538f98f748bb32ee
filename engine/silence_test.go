package engine_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"deskbell/engine"
)

// forEver reports whether a rule is one of those that may speak for ever: a
// listing holds what it says, some guesses stay until the process goes.
func forEver(rule string) bool {
	for _, r := range engine.Rules() {
		if r.Name == rule {
			return r.For == engine.Always
		}
	}
	return false
}

// TestFallsSilent checks that with no further event every session comes to rest, and
// that nothing works on without a voice that says so.
func TestFallsSilent(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 6))
		e := engine.New(engine.DefaultLimits())
		evs := history(r, 40)
		var step engine.Step
		for _, ev := range evs {
			step = e.Apply(ev.at, ev.ev)
		}
		now := evs[len(evs)-1].at
		for n := 0; !step.Next.IsZero(); n++ {
			if n > 100 {
				t.Fatalf("seed %d: still waking", seed)
			}
			if !step.Next.After(now) {
				t.Fatalf("seed %d: at %v the next deadline is %v", seed, now.Sub(t0), step.Next.Sub(t0))
			}
			now = step.Next
			step = e.Apply(now)
		}
		for _, s := range e.Snapshot(true).Sessions {
			if !forEver(s.Reason.Rule) {
				t.Errorf("seed %d: %s stays %v by %s, which ends", seed, s.ID, s.Status, s.Reason.Rule)
			}
			if s.Status == engine.Working && !strings.HasPrefix(s.Reason.Rule, "listing.") && s.Reason.Rule != "title.busy" {
				t.Errorf("seed %d: %s works for ever by %s", seed, s.ID, s.Reason.Rule)
			}
		}
	}
}
