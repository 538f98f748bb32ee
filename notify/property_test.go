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
			s = engine.Session{ID: id, Project: "p" + string(id), Dir: "/w/" + string(id), Loud: engine.Loudly}
		}
		from := s.Status
		if s.Status = engine.Status(1 + w.IntN(int(engine.Ended))); s.Status != from {
			s.Since = w.now
			s.Guess, s.Trouble = w.IntN(6) == 0, ""
			if s.Status == engine.Waiting && w.IntN(4) == 0 {
				s.Trouble = []engine.Trouble{engine.Interrupted, engine.RateLimit}[w.IntN(2)]
			}
		}
		switch w.IntN(10) {
		case 8:
			s.Alert = !s.Alert
		case 9:
			s.MutedUntil = w.now.Add(time.Duration(w.IntN(20)-5) * time.Second)
		case 0:
			s.Spoke, s.Turn = w.now, w.now
		case 1:
			s.Muted, s.MutedUntil = !s.Muted, time.Time{}
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

// asks is what one asked for, by the seed: nothing, quiet hours, looks, a short reminder,
// rules and mutes.
func (w *weather) asks() Prefs {
	p := Prefs{Zone: time.UTC}
	if w.IntN(2) == 0 {
		from := 8*time.Hour + time.Duration(w.IntN(60))*time.Second
		p.Quiet = []Hours{{From: from, To: from + time.Duration(1+w.IntN(60))*time.Second}}
	}
	p.CanLook = w.IntN(2) == 0
	p.Remind = time.Duration(w.IntN(20)) * time.Second
	if w.IntN(2) == 0 {
		p.Rules = []Rule{
			{Holds: func(dir string) bool { return within(dir, "/w/s1") }, Mute: true},
			{Holds: func(dir string) bool { return within(dir, "/w/s2") }, Alert: true},
		}
	}
	if w.IntN(2) == 0 {
		p.Folders = []FolderMute{{Dir: "/w/s3", Until: start.Add(time.Duration(w.IntN(120)) * time.Second)}}
	}
	return p
}

// peek looks at who is to be looked at, or does not, as the time says.
func peek(p *Planner, now time.Time) (answered bool) {
	for i, id := range p.Look() {
		if n := now.UnixMilli()/50 + int64(i); n%3 > 0 {
			p.Looked(id, n%3 == 1, now)
			answered = true
		}
	}
	return answered
}

// outcome is what a planner brought about, one line each.
type outcome []string

func (o *outcome) add(now time.Time, raise []Notice, withdraw []engine.ID) {
	for _, id := range withdraw {
		*o = append(*o, fmt.Sprint(now.Sub(start), " withdraw ", id))
	}
	for _, n := range raise {
		*o = append(*o, fmt.Sprint(now.Sub(start), " raise ", n.ID, n.IDs, n.Title, n.Body, n.Silent, n.Sound, n.Replaces, n.Critical, n.Reminder))
	}
}

// Who asks only when the planner wants to be asked gets what one gets who asks
// all the time.
func TestDeadlinesSuffice(t *testing.T) {
	for seed := range uint64(100) {
		var got [2]outcome
		for restless := range 2 {
			w, p := newWeather(seed), Planner{}
			prefs := w.asks()
			at, next := start, time.Time{}
			apply := func(now time.Time, changes []engine.Transition) {
				at = now
				for again := true; again; again = peek(&p, now) {
					var raise []Notice
					var withdraw []engine.ID
					raise, withdraw, next = p.Apply(now, changes, prefs)
					got[restless].add(now, raise, withdraw)
					for _, id := range p.Seen() {
						got[restless] = append(got[restless], fmt.Sprint(now.Sub(start), " seen ", id))
					}
					changes = nil
				}
				if !next.IsZero() && !next.After(now) {
					t.Fatalf("seed %d: next %v is not after now %v", seed, next, now)
				}
			}
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
					apply(to, nil)
				}
				apply(now, changes)
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

// What is on the screen is what the planner said, needs you, and is not muted; nothing
// rings twice for one event but an alert, and that not too often; in quiet hours only
// alerts ring; when all is quiet it falls silent.
func TestScreenIsRight(t *testing.T) {
	var alone, reminded, looked, missed int
	for seed := range uint64(100) {
		w, p := newWeather(seed), Planner{}
		prefs := w.asks()
		up := map[engine.ID]Notice{}
		rang := map[engine.ID]time.Time{} // by session, the event that rang last
		event := map[engine.ID]time.Time{}
		told := map[engine.ID]int{} // reminders of that event
		last := map[engine.ID]engine.Session{}
		apply := func(now time.Time, changes []engine.Transition) time.Time {
			for _, c := range changes {
				last[c.Session.ID] = c.Session
				if c.From != c.Session.Status || c.From == engine.Unknown {
					event[c.Session.ID] = now
					told[c.Session.ID] = 0
				}
			}
			raise, withdraw, next := p.Apply(now, changes, prefs)
			looked += len(p.Seen())
			for _, id := range withdraw {
				if _, ok := up[id]; !ok {
					t.Fatalf("seed %d: %s is withdrawn and was not up", seed, id)
				}
				delete(up, id)
			}
			_, quiet := prefs.hush(now)
			for _, n := range raise {
				if _, ok := up[n.ID]; ok != n.Replaces {
					t.Fatalf("seed %d: up is %v: %+v", seed, ok, n)
				}
				up[n.ID] = n
				if n.Silent {
					continue
				}
				terms := prefs.about(&p.cards[n.IDs[0]].s, now)
				if n.Critical != terms.alert && len(n.IDs) == 1 || quiet && !n.Critical && n.ID != Together {
					t.Fatalf("seed %d: at %v, quiet %v: it rings: %+v", seed, now, quiet, n)
				}
				switch id := n.ID; {
				case n.ID == AfterHours:
					missed++
				case n.ID == Together:
				case n.Reminder > 0:
					if told[id]++; told[id] > reminders.Most || !terms.alert || !rang[id].Equal(event[id]) {
						t.Fatalf("seed %d: it reminds %d times: %+v", seed, told[id], n)
					}
					reminded++
				default:
					if rang[id].Equal(event[id]) && !rang[id].IsZero() {
						t.Fatalf("seed %d: it rings twice: %+v", seed, n)
					}
					alone++
				}
				for _, id := range n.IDs {
					if p.cards[id].fresh {
						rang[id] = event[id]
					}
				}
			}
			seen := map[engine.ID]bool{}
			for _, n := range up {
				for _, id := range n.IDs {
					s := last[id]
					terms := prefs.about(&s, now)
					if !s.Status.NeedsYou() || s.MutedAt(now) || terms.rule.Mute || terms.folder(&s) || seen[id] ||
						s.Status == engine.Waiting && s.Trouble == engine.Interrupted {
						t.Fatalf("seed %d: %s is up: %+v", seed, id, s)
					}
					seen[id] = true
					if state, _, _ := p.State(id); state == "" || state == Withdrawn {
						t.Fatalf("seed %d: %s is up, and said to be %q", seed, id, state)
					}
				}
			}
			if peek(&p, now) {
				// the next pass takes it in
				return now.Add(time.Millisecond)
			}
			return next
		}
		next := time.Time{}
		for range 150 {
			now, changes := w.step()
			for !next.IsZero() && next.Before(now) {
				next = apply(next, nil)
			}
			next = apply(now, changes)
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
	if alone == 0 || reminded == 0 || looked == 0 || missed == 0 {
		t.Errorf("%d notices of their own, %d reminders, %d looks, %d summaries: that proves nothing", alone, reminded, looked, missed)
	}
}

// Who leaves everything as it is falls silent, too: reminders end, and no hours come to
// an end for ever.
func TestFallsSilent(t *testing.T) {
	for seed := range uint64(100) {
		w, p := newWeather(seed), Planner{}
		prefs := w.asks()
		next := time.Time{}
		for range 60 {
			now, changes := w.step()
			_, _, next = p.Apply(now, changes, prefs)
		}
		for n := 0; !next.IsZero(); n++ {
			if n > 200 {
				t.Fatalf("seed %d: it goes on and on, next is %v", seed, next)
			}
			_, _, next = p.Apply(next, nil, prefs)
		}
	}
}
