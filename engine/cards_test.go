package engine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"deskbell/engine"
)

// TestCards checks, whatever processes and conversations do in one folder, that one
// process is one card, and that a conversation is on two cards only where two
// processes hold it.
func TestCards(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7))
		e := engine.New(engine.DefaultLimits())
		var evs []timed
		now := t0
		for range 40 {
			now = now.Add(time.Duration(r.IntN(20_000)) * time.Millisecond)
			evs = append(evs, timed{now, moved(r)})
			e.Apply(now, evs[len(evs)-1].ev)
			if fault := twice(e.Snapshot(false).Sessions); fault != "" {
				t.Errorf("seed %d: %s", seed, fault)
				dump(t, evs)
				for _, s := range e.Snapshot(true).Sessions {
					t.Logf("%s: %s/%d is %v by %s", s.ID, s.SessionID, s.PID, s.Status, s.Reason.Rule)
				}
				return
			}
		}
	}
}

// twice finds what is on two cards.
func twice(sessions []engine.Session) string {
	byPID, byID := map[int]engine.ID{}, map[string]engine.Session{}
	for _, s := range sessions {
		if o, is := byPID[s.PID]; is && s.PID != 0 {
			return fmt.Sprintf("%s and %s are both process %d", o, s.ID, s.PID)
		}
		byPID[s.PID] = s.ID
		if o, is := byID[s.SessionID]; is && s.SessionID != "" && (o.PID == 0 || s.PID == 0) {
			return fmt.Sprintf("%s and %s are both conversation %s, in processes %d and %d", o.ID, s.ID, s.SessionID, o.PID, s.PID)
		}
		byID[s.SessionID] = s
	}
	return ""
}

// moved draws an event that may take a conversation to a process. Three conversations
// and three processes share a folder.
func moved(r *rand.Rand) engine.Event {
	p := process(41 + r.IntN(3))
	p.Dir = "/w/app"
	id := []string{"a", "b", "c"}[r.IntN(3)]
	known := engine.Who{Tool: "tool", PID: p.PID}
	read := engine.Who{Tool: "tool", ID: id, Dir: p.Dir}
	switch r.IntN(9) {
	case 0:
		return engine.Event{By: engine.Listing, Who: known, Fact: engine.Listed{Level: engine.ListedStarting}}
	case 1:
		return engine.Event{By: engine.Listing, Who: known, Fact: engine.Listed{Level: engine.Unlisted}}
	case 2:
		return engine.Event{By: engine.Process, Who: p, Fact: engine.Alive{Yes: r.IntN(3) > 0}}
	case 3:
		var t engine.Table
		for pid := range 3 {
			if w := process(41 + pid); r.IntN(2) == 0 {
				w.Dir = p.Dir
				t.Runs = append(t.Runs, w)
			}
		}
		return engine.Event{By: engine.Process, Who: engine.Who{Tool: "tool"}, Fact: t}
	case 4:
		return engine.Event{By: engine.Transcript, Who: read, Fact: engine.Prompted{Human: true}}
	case 5:
		return engine.Event{By: engine.Transcript, Who: read, Fact: engine.Wrote{}}
	}
	p.ID = id
	level := []engine.Level{engine.Present, engine.ListedIdle, engine.ListedBusy, engine.ListedAsking}[r.IntN(4)]
	return engine.Event{By: engine.Listing, Who: p, Fact: engine.Listed{Level: level}}
}
