package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

// edges are all moments at which a rule may begin or cease to speak of what these
// events tell.
func edges(evs []timed) (out []time.Time) {
	limits := engine.DefaultLimits()
	var spans []time.Duration
	add := func(d time.Duration) {
		if !slices.Contains(spans, d) {
			spans = append(spans, d)
		}
	}
	for _, r := range engine.Rules() {
		add(limits[r.After])
		add(limits[r.After] + limits[r.For])
	}
	for _, l := range []engine.Limit{engine.Fast, engine.Medium, engine.Slow, engine.Answer} { // of calls
		for _, d := range slices.Clone(spans) {
			add(d + limits[l])
		}
	}
	for _, ev := range evs {
		for _, at := range []time.Time{ev.at, ev.ev.At} {
			if at.IsZero() {
				continue
			}
			for _, d := range spans {
				out = append(out, at.Add(d))
			}
		}
	}
	slices.SortFunc(out, time.Time.Compare)
	return slices.CompactFunc(out, time.Time.Equal)
}

// TestDeadlinesSuffice checks that waking only at deadlines misses nothing: a twin
// that looks at every moment at which anything could change, and is told no
// deadline, sees exactly the same changes.
func TestDeadlinesSuffice(t *testing.T) {
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 1))
		evs := history(r, 16)
		end := evs[len(evs)-1].at.Add(2 * time.Hour)
		sparse, dense := play(t, evs, end, true, nil), play(t, evs, end, false, edges(evs))
		if !slices.Equal(sparse, dense) {
			t.Errorf("seed %d:\n%s", seed, differ("by deadlines", sparse, "everywhere", dense))
			dump(t, evs)
			return
		}
	}
}

// TestSameAgain checks that the same history leads to the same changes.
func TestSameAgain(t *testing.T) {
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 2))
		evs := history(r, 40)
		end := evs[len(evs)-1].at.Add(time.Hour)
		once := play(t, evs, end, true, nil)
		for range 2 {
			if again := play(t, evs, end, true, nil); !slices.Equal(once, again) {
				t.Errorf("seed %d:\n%s", seed, differ("once", once, "again", again))
				dump(t, evs)
				return
			}
		}
	}
}

// TestChangesTellAll checks that who only hears of changes knows what the snapshot
// knows.
func TestChangesTellAll(t *testing.T) {
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 3))
		e := engine.New(engine.DefaultLimits())
		knows := map[engine.ID]engine.Status{}
		for _, ev := range history(r, 60) {
			step := e.Apply(ev.at, ev.ev)
			for _, c := range step.Changes {
				if was := knows[c.Session.ID]; was != c.From {
					t.Fatalf("seed %d: %s was %v, and changes from %v", seed, c.Session.ID, was, c.From)
				}
				knows[c.Session.ID] = c.Session.Status
			}
			for _, id := range step.Gone {
				delete(knows, id)
			}
			is := map[engine.ID]engine.Status{}
			for _, s := range e.Snapshot(true).Sessions {
				is[s.ID] = s.Status
			}
			if fmt.Sprint(is) != fmt.Sprint(knows) {
				t.Fatalf("seed %d after %T of %+v: changes told %v, but there are %v", seed, ev.ev.Fact, ev.ev.Who, knows, is)
			}
		}
	}
}

// TestReasons checks that every session shown can say why.
func TestReasons(t *testing.T) {
	rules := map[string]engine.Rule{}
	for _, r := range engine.Rules() {
		rules[r.Name] = r
	}
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 4))
		e := engine.New(engine.DefaultLimits())
		for _, ev := range history(r, 60) {
			e.Apply(ev.at, ev.ev)
			for _, s := range e.Snapshot(true).Sessions {
				rule, is := rules[s.Reason.Rule]
				switch {
				case !is || rule.Says != s.Status || s.Reason.Why == "":
					t.Fatalf("seed %d: %s is %v because of %+v", seed, s.ID, s.Status, s.Reason)
				case s.Since.After(ev.at) || s.Since.IsZero():
					t.Fatalf("seed %d: at %v, %s is %v since %v", seed, ev.at, s.ID, s.Status, s.Since)
				case s.NeedsYou != s.Status.NeedsYou():
					t.Fatalf("seed %d: %s is %v and needs you: %v", seed, s.ID, s.Status, s.NeedsYou)
				}
				w, is := e.Why(s.ID)
				if !is || len(w.For) == 0 || w.For[0].Rule != s.Reason.Rule {
					t.Fatalf("seed %d: %s is %v because of %s, but says %+v", seed, s.ID, s.Status, s.Reason.Rule, w.For)
				}
			}
		}
	}
}

// differ shows where two traces part.
func differ(a string, as []string, b string, bs []string) string {
	var out []string
	for _, s := range as {
		if !slices.Contains(bs, s) {
			out = append(out, "only "+a+": "+s)
		}
	}
	for _, s := range bs {
		if !slices.Contains(as, s) {
			out = append(out, "only "+b+": "+s)
		}
	}
	return strings.Join(out, "\n")
}

// dump logs a history.
func dump(t *testing.T, evs []timed) {
	for _, ev := range evs {
		date := ""
		if !ev.ev.At.IsZero() {
			date = fmt.Sprint(" of ", ev.ev.At.Sub(t0))
		}
		t.Logf("%v%s: %s/%d by %v: %T%+v", ev.at.Sub(t0), date, ev.ev.Who.ID, ev.ev.Who.PID, ev.ev.By, ev.ev.Fact, ev.ev.Fact)
	}
}
