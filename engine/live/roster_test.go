package live

import (
	"time"

	"deskbell/engine"
)

// roster is an engine that has the sessions it is told of: each event's Who.ID is one,
// in the status its Fact stands for.
type roster struct{ script }

func newRoster() *roster {
	e := &roster{}
	e.apply = func(now time.Time, events []engine.Event) (step engine.Step) {
		for _, ev := range events {
			s := engine.Session{ID: engine.ID(ev.Who.ID), Title: ev.Who.Dir, Since: now, Prefs: engine.Prefs{Shared: true}}
			from := engine.Unknown
			kept := e.sessions[:0:0]
			for _, old := range e.sessions {
				if old.ID == s.ID {
					from = old.Status
				} else {
					kept = append(kept, old)
				}
			}
			e.sessions = kept
			switch ev.Fact.(type) {
			case engine.Seen: // forgotten
				step.Gone = append(step.Gone, s.ID)
				continue
			case engine.Alive:
				s.Status = engine.Ended
			case engine.Prompted:
				s.Status = engine.Working
			case engine.Finished:
				s.Status, s.NeedsYou = engine.Waiting, true
			default:
				s.Status = engine.Idle
			}
			e.sessions = append(e.sessions, s)
			step.Changes = append(step.Changes, engine.Transition{Session: s, From: from})
		}
		return step
	}
	return e
}

func tell(l *Loop, id, title string, f engine.Fact) {
	l.Emit(engine.Event{Who: engine.Who{ID: id, Dir: title}, Fact: f})
}
