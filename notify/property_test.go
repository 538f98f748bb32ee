package notify

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"deskbell/engine"
)

// weather is a random history of a few sessions.
type weather struct {
	*rand.Rand
	now  time.Time
	last map[engine.ID]engine.Session
}

func newWeather(seed uint64) *weather {
	return &weather{rand.New(rand.NewPCG(seed, 7)), start, map[engine.ID]engine.Session{}}
}

func (w *weather) step() (now time.Time, changes []engine.Transition) {
	w.now = w.now.Add(time.Duration(w.IntN(40)) * 50 * time.Millisecond)
	for range w.IntN(4) {
		id := engine.ID(fmt.Sprint("s", 1+w.IntN(6)))
		s, known := w.last[id]
		if !known {
			s = engine.Session{ID: id, Project: "p" + string(id), Loud: engine.Loudly}
		}
		from := s.Status
		if s.Status = engine.Status(1 + w.IntN(int(engine.Ended))); s.Status != from {
			s.Since = w.now
			s.Guess, s.Trouble = w.IntN(6) == 0, ""
			if s.Status == engine.Waiting && w.IntN(4) == 0 {
				s.Trouble = []engine.Trouble{engine.Interrupted, engine.RateLimit}[w.IntN(2)]
			}
		}
		switch w.IntN(8) {
		case 0:
			s.Spoke, s.Turn = w.now, w.now
		case 1:
			s.Muted = !s.Muted
		case 2:
			s.Asks = fmt.Sprint("Bash: ", w.IntN(100))
		case 3:
			s.Reports = !s.Reports
		case 4:
			s.Answers = !s.Answers
		}
		w.last[id] = s
		changes = append(changes, engine.Transition{Session: s, From: from})
	}
	return w.now, changes
}

// outcome is what a planner brought about, one line each.
type outcome []string

func (o *outcome) add(now time.Time, raise []Notice, withdraw []engine.ID) {
	for _, id := range withdraw {
		*o = append(*o, fmt.Sprint(now.Sub(start), " withdraw ", id))
	}
	for _, n := range raise {
		*o = append(*o, fmt.Sprint(now.Sub(start), " raise ", n.ID, n.IDs, n.Title, n.Body, n.Silent, n.Sound, n.Replaces))
	}
}

// Who asks only when the planner wants to be asked gets what one gets who asks
// all the time.
func TestDeadlinesSuffice(t *testing.T) {
	for seed := range uint64(60) {
		var got [2]outcome
		for restless := range 2 {
			w, p := newWeather(seed), Planner{}
			at, next := start, time.Time{}
			for range 120 {
				now, changes := w.step()
				for {
					to := next
					if restless == 1 {
						if to = at.Add(50 * time.Millisecond); !next.IsZero() && next.Before(to) {
							to = next
						}
					}
					if to.IsZero() || to.After(now) {
						break
					}
					at = to
					var raise []Notice
					var withdraw []engine.ID
					raise, withdraw, next = p.Apply(at, nil, Prefs{})
					got[restless].add(at, raise, withdraw)
				}
				at = now
				var raise []Notice
				var withdraw []engine.ID
				raise, withdraw, next = p.Apply(now, changes, Prefs{})
				got[restless].add(now, raise, withdraw)
				if !next.IsZero() && !next.After(now) {
					t.Fatalf("seed %d: next %v is not after now %v", seed, next, now)
				}
			}
		}
		if !slices.Equal(got[0], got[1]) {
			for i := range got[0] {
				if i >= len(got[1]) || got[0][i] != got[1][i] {
					t.Fatalf("seed %d: by deadlines %q, restless %q", seed, got[0][i:], got[1][min(i, len(got[1])):])
				}
			}
			t.Fatalf("seed %d: restless has more", seed)
		}
	}
}

// What is on the screen is what the planner said, needs you, and is not muted;
// nothing rings twice for one event; when all is quiet it falls silent.
func TestScreenIsRight(t *testing.T) {
	for seed := range uint64(60) {
		w, p := newWeather(seed), Planner{}
		up := map[engine.ID]Notice{}
		rang := map[engine.ID]time.Time{} // by session, the event that rang last
		event := map[engine.ID]time.Time{}
		apply := func(now time.Time, changes []engine.Transition) time.Time {
			for _, c := range changes {
				if c.From != c.Session.Status || c.From == engine.Unknown {
					event[c.Session.ID] = now
				}
			}
			raise, withdraw, next := p.Apply(now, changes, Prefs{})
			for _, id := range withdraw {
				if _, ok := up[id]; !ok {
					t.Fatalf("seed %d: %s is withdrawn and was not up", seed, id)
				}
				delete(up, id)
			}
			for _, n := range raise {
				if _, ok := up[n.ID]; ok != n.Replaces {
					t.Fatalf("seed %d: up is %v: %+v", seed, ok, n)
				}
				if !n.Silent && n.ID != Together {
					if id := n.ID; rang[id].Equal(event[id]) && !rang[id].IsZero() {
						t.Fatalf("seed %d: it rings twice: %+v", seed, n)
					}
					rang[n.ID] = event[n.ID]
				}
				up[n.ID] = n
			}
			seen := map[engine.ID]bool{}
			for _, n := range up {
				for _, id := range n.IDs {
					s := w.last[id]
					if !s.Status.NeedsYou() || s.Muted || seen[id] || s.Status == engine.Waiting && s.Trouble == engine.Interrupted {
						t.Fatalf("seed %d: %s is up: %+v", seed, id, s)
					}
					seen[id] = true
					if state, _, _ := p.State(id); state == "" || state == Withdrawn {
						t.Fatalf("seed %d: %s is up, and said to be %q", seed, id, state)
					}
				}
			}
			return next
		}
		for range 150 {
			apply(w.step())
		}
		var changes []engine.Transition
		for id, s := range w.last {
			from := s.Status
			s.Status = engine.Idle
			w.last[id] = s
			changes = append(changes, engine.Transition{Session: s, From: from})
		}
		if next := apply(w.now, changes); !next.IsZero() || len(up) != 0 {
			t.Fatalf("seed %d: all is quiet, next is %v, up is %v", seed, next, up)
		}
	}
}
