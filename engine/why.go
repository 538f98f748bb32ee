package engine

import "time"

// Why is the whole case for a session's status (API.md, GET /sessions/{id}/why).
type Why struct {
	Session Session   `json:"session"`
	For     []Signal  `json:"-"` // all that speak for it; the first decided
	Silent  []Unheard `json:"silent"`
	Matched string    `json:"matched"`
	Missing []Missing `json:"missing"`
}

// Unheard is a row that would speak later if nothing else happened.
type Unheard struct {
	Rule       string    `json:"rule"`
	Weight     Weight    `json:"weight"`
	Says       Status    `json:"says"`
	WouldSpeak time.Time `json:"would_speak"`
	Why        string    `json:"why"`
}

// Missing is a witness that tells nothing of the session. How says how to add it
// and is filled in by whoever knows the tools.
type Missing struct {
	Witness Witness `json:"witness"`
	How     string  `json:"how"`
}

// Why explains the status of the session called id.
func (e *Engine) Why(id ID) (w Why, ok bool) {
	for _, s := range e.order {
		if s.view.ID == id && s.view.Status != Unknown {
			return e.why(s), true
		}
	}
	return w, false
}

func (e *Engine) why(s *entry) Why {
	now := e.lived(e.now)
	v, _ := e.book.read(&s.facts, now)
	w := Why{Session: s.view, For: v.For, Matched: s.view.Match, Silent: []Unheard{}, Missing: []Missing{}}
	for i := range w.For {
		e.clock.wall(&w.For[i].Since)
	}
	for _, sp := range e.book.spans(&s.facts) {
		if r := &e.book.rules[sp.rule]; sp.from.After(now) {
			w.Silent = append(w.Silent, Unheard{r.Name, r.Weight, r.Says, e.wallTime(sp.from), r.Why})
		}
	}
	for _, m := range []struct {
		witness Witness
		heard   bool
	}{{Hook, !s.facts.Hooked.Never()}, {Listing, len(s.facts.Marks) > 0 || !s.facts.Present.Never()}, {Transcript, !s.facts.Recorded.Never()}, {Process, !s.facts.Vouched.Never()}} {
		if !m.heard {
			w.Missing = append(w.Missing, Missing{Witness: m.witness})
		}
	}
	return w
}
