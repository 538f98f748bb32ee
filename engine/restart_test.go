package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

// kept is v as it is read after it was written.
func kept[V any](t *testing.T, v V) (out V) {
	t.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// restarted is an engine that begins at now with the memory of old, what hooks told of
// evs, and then, in an order of its own, what others tell again.
func restarted(t *testing.T, r *rand.Rand, now time.Time, old *engine.Engine, evs []timed) *engine.Engine {
	t.Helper()
	e := engine.New(engine.DefaultLimits())
	e.Recall(kept(t, old.Memory()))
	var hooks, again []engine.Event
	for _, ev := range evs {
		one := ev.ev
		if one.At.IsZero() {
			one.At = ev.at
		}
		switch one.By {
		case engine.Hook:
			hooks = append(hooks, kept(t, engine.Line{Told: ev.at, Event: one}).Event)
		case engine.User, engine.Process: // remembered, and looked up
		default:
			again = append(again, one)
		}
	}
	e.Apply(now, hooks...)
	r.Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
	for len(again) > 0 {
		n := 1 + r.IntN(len(again))
		e.Apply(now, again[:n]...)
		again = again[n:]
	}
	return e
}

// lived has e live from its last deadline, next, until now.
func lived(e *engine.Engine, next, now time.Time, evs ...engine.Event) time.Time {
	for !next.IsZero() && next.Before(now) {
		next = e.Apply(next).Next
	}
	return e.Apply(now, evs...).Next
}

// looks are the processes that live, by one look at all and one at each.
func looks(alive []bool) (out []engine.Event) {
	var table engine.Table
	for n, yes := range alive {
		if yes {
			table.Runs = append(table.Runs, process(41+n))
		}
		out = append(out, engine.Event{By: engine.Process, Who: process(41 + n), Fact: engine.Alive{Yes: yes}})
	}
	return append(out, engine.Event{By: engine.Process, Who: engine.Who{Tool: "tool"}, Fact: table})
}

// picture is what is to be the same after a restart.
func picture(e *engine.Engine, ended bool) string {
	var out []string
	for _, s := range e.Snapshot(ended).Sessions {
		out = append(out, fmt.Sprintf("%s is %s, %s by %s, unseen %v, %d asked, %d runs, began in %s, %d shells, mode %s",
			s.ID, s.SessionID, s.Status, s.Reason.Rule, s.Unseen, s.AsksOpen, s.Runs, s.BeganIn, s.Shells, s.PermissionMode))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// TestRestart checks that an engine that begins in the middle of a history shows what
// the one shows that lived through all of it.
func TestRestart(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 21))
		var evs []timed
		for len(evs) == 0 { // a listing tells only its last word again: see the scenarios
			evs = slices.DeleteFunc(history(r, 10+r.IntN(40)), func(ev timed) bool {
				switch ev.ev.Fact.(type) {
				case engine.Opened, engine.Drew, engine.Titled, engine.Quiet, engine.Children: // of terminals and processes: asked again
					return true
				}
				return false
			})
			evs = slices.CompactFunc(evs, func(a, b timed) bool { // of two words of one moment nobody knows which is the last
				_, one := a.ev.Fact.(engine.Described)
				_, two := b.ev.Fact.(engine.Described)
				return one && two && a.at.Equal(b.at)
			})
			if slices.ContainsFunc(evs, func(ev timed) bool {
				_, is := ev.ev.Fact.(engine.Listed)
				_, all := ev.ev.Fact.(engine.Roster)
				return is || all
			}) {
				evs = nil
			}
		}
		old := engine.New(engine.DefaultLimits())
		now, next := t0, time.Time{}
		for _, ev := range evs {
			now = ev.at
			next = lived(old, next, now, ev.ev)
		}
		now = now.Add(time.Duration(r.IntN(600)) * time.Second)
		lived(old, next, now)
		fresh := restarted(t, r, now, old, evs)
		for _, s := range fresh.Snapshot(false).Sessions {
			if s.NeedsYou && s.PID != 0 {
				t.Fatalf("seed %d: %s needs you before anybody looked for its process", seed, s.ID)
			}
		}
		alive := looks([]bool{r.IntN(4) > 0, r.IntN(4) > 0, r.IntN(4) > 0})
		old.Apply(now, alive...)
		fresh.Apply(now, alive...)
		if a, b := picture(old, false), picture(fresh, false); a != b {
			t.Errorf("seed %d, at %v: it was\n%s\nand after a restart is\n%s", seed, now.Sub(t0), a, b)
			dump(t, evs)
			return
		}
	}
}

// TestRestartKeepsIDs checks, whatever processes and conversations do in one folder, that
// no id is given to two cards, and that a conversation keeps its id over many restarts.
func TestRestartKeepsIDs(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 22))
		e := engine.New(engine.DefaultLimits())
		now := t0
		had := map[engine.ID]string{} // what a card was, by all ids of conversations it had
		for range 60 {
			now = now.Add(time.Duration(r.IntN(20_000)) * time.Millisecond)
			if r.IntN(8) == 0 {
				m := kept(t, e.Memory())
				if again := kept(t, m); fmt.Sprint(again) != fmt.Sprint(m) {
					t.Fatalf("seed %d: %+v is read as %+v", seed, m, again)
				}
				e = engine.New(engine.DefaultLimits())
				e.Recall(m)
				e.Apply(now)
			}
			e.Apply(now, moved(r))
			ids := map[engine.ID]bool{}
			for _, c := range e.Memory().Cards {
				if ids[c.ID] {
					t.Fatalf("seed %d: two cards are called %s", seed, c.ID)
				}
				ids[c.ID] = true
				was := fmt.Sprint(append(slices.Clone(c.Earlier), c.SessionID))
				if old, is := had[c.ID]; is && c.SessionID != "" && !strings.Contains(old, c.SessionID) && len(c.Earlier) == 0 && old != "[]" {
					t.Fatalf("seed %d: %s was %s and is %s", seed, c.ID, old, was)
				}
				had[c.ID] = was
			}
			if fault := twice(e.Snapshot(false).Sessions); fault != "" {
				t.Fatalf("seed %d: %s", seed, fault)
			}
		}
	}
}

// TestNoWishIsLost checks that whatever processes and conversations do in one folder, and
// however often deskbell is started again, what you asked for about a session is kept.
func TestNoWishIsLost(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 23))
		e := engine.New(engine.DefaultLimits())
		now := t0
		want := map[engine.ID]engine.Prefs{}
		for n := range 80 {
			now = now.Add(time.Duration(r.IntN(20_000)) * time.Millisecond)
			switch r.IntN(8) {
			case 0:
				m := kept(t, e.Memory())
				e = engine.New(engine.DefaultLimits())
				e.Recall(m)
				e.Apply(now)
			case 1, 2:
				all := e.Snapshot(true).Sessions
				if len(all) == 0 {
					continue
				}
				s := all[r.IntN(len(all))]
				if s.SessionID == "" { // see the scenarios
					continue
				}
				p := s.Prefs
				p.Label, p.Room, p.Pinned = &engine.Label{Name: "HEAVY", Color: "#ff3355"}, fmt.Sprint("room ", n), n%2 == 0
				who := engine.Who{Card: s.ID}
				e.Apply(now,
					engine.Event{By: engine.User, Who: who, Fact: engine.Wished{Wish: engine.ToLabel, On: true, Text: "heavy"}},
					engine.Event{By: engine.User, Who: who, Fact: engine.Wished{Wish: engine.ToRoom, On: true, Text: p.Room}},
					engine.Event{By: engine.User, Who: who, Fact: engine.Wished{Wish: engine.ToPin, On: p.Pinned}})
				want[s.ID] = p
			}
			ev := moved(r)
			e.Apply(now, ev)
			cards := map[engine.ID]engine.Card{}
			for _, c := range e.Memory().Cards {
				cards[c.ID] = c
			}
			for id, p := range want {
				got := cards[id]
				if got.Label == nil || *got.Label != *p.Label || got.Room != p.Room || got.Pinned != p.Pinned {
					t.Fatalf("seed %d, %d after %T of %+v: %s has %+v, want %+v", seed, n, ev.Fact, ev.Who, id, got, p)
				}
			}
		}
	}
}

// TestNumbers checks that no two live sessions of a project have one number, and that none
// changes while its session lives, over restarts.
func TestNumbers(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 24))
		e := engine.New(engine.DefaultLimits())
		now := t0
		had := map[engine.ID]string{}
		for range 80 {
			now = now.Add(time.Duration(r.IntN(20_000)) * time.Millisecond)
			if r.IntN(8) == 0 {
				m := kept(t, e.Memory())
				e = engine.New(engine.DefaultLimits())
				e.Recall(m)
				e.Apply(now)
			}
			e.Apply(now, moved(r))
			taken := map[string]engine.ID{}
			for _, s := range e.Snapshot(true).Sessions {
				if s.Status == engine.Ended {
					delete(had, s.ID)
					continue
				}
				if o, is := taken[s.Title]; is {
					t.Fatalf("seed %d: %s and %s are both %s", seed, o, s.ID, s.Title)
				}
				taken[s.Title] = s.ID
				if was, is := had[s.ID]; is && was != s.Title || !strings.HasPrefix(s.Title, "app #") {
					t.Fatalf("seed %d: %s was %q and is %q", seed, s.ID, was, s.Title)
				}
				had[s.ID] = s.Title
			}
		}
	}
}

// TestMemoryIsBounded checks that what nobody tells of is forgotten in the end, and what
// you asked for is not.
func TestMemoryIsBounded(t *testing.T) {
	e := engine.New(engine.DefaultLimits())
	var m engine.Memory
	for n := range 2000 {
		c := engine.Card{ID: engine.ID(fmt.Sprint("s", n+1)), Tool: "tool", SessionID: fmt.Sprint("id", n), Known: t0}
		if n%20 == 0 {
			c.Pinned = true
		}
		m.Cards = append(m.Cards, c)
	}
	m.Cards = append(m.Cards, m.Cards[0], engine.Card{ID: "x", Tool: "tool", SessionID: "y"}, engine.Card{ID: "s9999"}, engine.Card{ID: "s-1", Tool: "tool", SessionID: "z"})
	e.Recall(m)
	e.Apply(t0)
	if n := len(e.Memory().Cards); n != 500 {
		t.Errorf("got %d cards, want 500", n)
	}
	e.Apply(t0.Add(25 * time.Hour))
	for _, c := range e.Memory().Cards {
		if !c.Pinned {
			t.Errorf("%s is remembered after a day", c.ID)
		}
	}
	if got := e.Memory(); got.Last != 2000 || len(got.Cards) == 0 {
		t.Errorf("got %d cards and the last number %d", len(got.Cards), got.Last)
	}
}

// TestRecalled checks that nothing of a card is lost where nobody tells anything.
func TestRecalled(t *testing.T) {
	lives := engine.Card{
		ID: "s7", Tool: "tool", SessionID: "a", Home: "/h", Dir: "/w/app/sub", BeganIn: "/w/app", Earlier: []string{"x", "y"},
		Tied: true, PID: 41, Ticks: 410, Domain: "d", Known: t0, Started: t0.Add(time.Minute), Seen: t0.Add(time.Hour),
		Title: "Login flow", Prompt: "Fix the login", Spoke: t0.Add(2 * time.Minute), Project: "app@login", Number: 3,
		Prefs: engine.Prefs{Label: &engine.Label{Name: "HEAVY", Color: "#ff3355"}, Room: "backend", Pinned: true, Name: "The login", Muted: true, MutedUntil: t0.Add(99 * time.Hour)},
	}
	ended := lives
	ended.Number, ended.ID, ended.SessionID, ended.Ended, ended.LastWrite = 4, "s8", "b", t0.Add(3*time.Hour), t0.Add(2*time.Hour)
	untied := lives
	untied.ID, untied.SessionID, untied.Tied, untied.PID, untied.Ticks, untied.Domain, untied.Untold = "s9", "c", false, 0, 0, "", t0.Add(4*time.Hour)
	left := ended // by its process
	left.Number, left.ID, left.SessionID, left.PID, left.Ticks, left.Domain = 5, "s10", "d", 0, 0, ""
	m := engine.Memory{Last: 12, Cards: []engine.Card{lives, ended, untied, left}, Nights: []engine.Night{{From: t0.Add(5 * time.Hour), To: t0.Add(6 * time.Hour)}},
		Labels: []engine.Label{{Name: "Mine", Color: "#aabbcc"}}, Hushed: []engine.Hush{{Dir: "/w/app"}, {Until: t0.Add(98 * time.Hour)}}}
	e := engine.New(engine.DefaultLimits())
	e.Recall(m)
	e.Apply(t0.Add(7 * time.Hour))
	got, _ := json.Marshal(e.Memory())
	want, _ := json.Marshal(m)
	if string(got) != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s := e.Snapshot(true).Sessions; len(s) != 2 || s[0].ID != "s8" || s[1].ID != "s10" || s[0].Status != engine.Ended || !s[0].Since.Equal(ended.Ended) || s[0].Label.Name != "HEAVY" {
		t.Errorf("got %+v, want s8 and s10 as they ended", s)
	}
	lives.Ticks = 0 // after the machine was started anew, any process may be number 41
	e = engine.New(engine.DefaultLimits())
	e.Recall(engine.Memory{Cards: []engine.Card{lives}})
	e.Apply(t0, engine.Event{By: engine.Process, Who: engine.Who{Tool: "tool", PID: 41, Ticks: 7}, Fact: engine.Alive{Yes: true}})
	if s := e.Snapshot(true).Sessions; len(s) != 0 {
		t.Errorf("got %+v, want nothing: it is not known whose process that is", s)
	}
}
