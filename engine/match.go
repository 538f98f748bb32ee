package engine

import (
	"cmp"
	"slices"
)

// How the last event of a session was told to be its, for "why".
const (
	matchNew     = "nothing: it is new"
	matchID      = "its session id"
	matchProcess = "its process"
	matchTerm    = "the terminal it runs in"
	matchFolder  = "the folder its process works in"
	matchKnown   = "what was remembered of it"
)

// founds reports whether a stranger's fact is reason enough for a new session.
// Ends, results and whatever sub-agents do are not (SPEC section 4).
func founds(f Fact) bool {
	switch f := f.(type) {
	case Opened, Started, Prompted, Lived:
		return true
	case Asked:
		return f.Agent == ""
	case CallOpened:
		return f.Agent == ""
	case Wrote:
		return f.Agent == ""
	case Listed:
		return f.Level != Unlisted
	}
	return false
}

// resolve finds the sessions an event is about, founding one if need be. There
// are several where two processes hold one conversation and the event names only
// the conversation.
func (e *Engine) resolve(w Who, f Fact) []*entry {
	if w.Loose {
		e.disown(w)
		return nil
	}
	if w.Card == "" && e.disowned(w) {
		return nil
	}
	if w.Card != "" {
		for _, s := range e.order {
			if s.view.ID == w.Card {
				return []*entry{s}
			}
		}
		return nil
	}
	if s, is := e.late(w); is {
		return s
	}
	if s := e.byTerm(w); s != nil {
		return []*entry{s}
	}
	byProcess := e.byProcess(w)
	if w.PID == 0 {
		if byID := e.byID(w); len(byID) > 0 {
			e.rehouse(byID, w, f)
			return byID
		}
	} else if s := e.holder(w, byProcess); s != nil {
		return []*entry{s}
	}
	if e.past(w) && !begins(f) {
		return nil
	}
	if s := e.vouching(w); s != nil && byProcess == nil && !founds(f) {
		return []*entry{s}
	}
	switch s := e.housing(w, f); {
	case byProcess != nil:
		byProcess.adopt(w, matchProcess, e.by)
		return []*entry{byProcess}
	case founds(f) && e.tenant(w, nil, begins(f)) != nil:
		t := e.tenant(w, nil, begins(f))
		t.adopt(w, matchTerm, e.by)
		return []*entry{t}
	case s != nil && founds(f):
		s.adopt(w, matchFolder, e.by)
		s.byDir = true
		return []*entry{s}
	case founds(f) && w.Shy:
		e.seek(w)
	case founds(f):
		return []*entry{e.found(w)}
	}
	return nil
}

// begins reports whether f brings a conversation (back) to life.
func begins(f Fact) bool {
	switch f.(type) {
	case Started, Listed:
		return true
	}
	return false
}

// past reports whether w is a conversation that a card has left by a /clear. Its
// last records may still be flushed.
func (e *Engine) past(w Who) bool {
	return slices.ContainsFunc(e.order, func(s *entry) bool {
		return s.who.Tool == w.Tool && slices.Contains(s.runs, w.ID)
	}) || slices.ContainsFunc(e.memory, func(c Card) bool {
		return c.Tool == w.Tool && slices.Contains(c.Earlier, w.ID)
	})
}

// late reports whether a hook is heard after its card has gone over to another
// conversation, which is where it ends, or another process, which is known better by now.
func (e *Engine) late(w Who) (cards []*entry, is bool) {
	if e.by != Hook || w.ID == "" {
		return nil, false
	}
	for _, s := range e.order {
		if s.who.Tool != w.Tool || !s.facts.Started.At.After(e.at.At) {
			continue
		}
		switch {
		case s.who.ID == w.ID && s.who.PID != 0 && w.PID != 0 && !s.who.same(w):
			cards = append(cards, s)
		case s.who.ID == w.ID:
			return nil, false
		case slices.Contains(s.runs, w.ID):
			is = true
		}
	}
	return cards, is || len(cards) > 0
}

// nameless is the one process in w's folder that no conversation is known of, nil
// where there are several: two candidates are no guess.
func (e *Engine) nameless(w Who) *entry {
	return only(e.inFolder(w, func(s *entry) bool { return s.who.ID == "" }))
}

// holder is the session with w's id, told by w's process: it takes that process
// over, unless another one that lives holds it. A card that the process is found
// to have left is dropped if it never had a turn, and ended otherwise.
func (e *Engine) holder(w Who, byProcess *entry) *entry {
	if w.ID == "" {
		return nil
	}
	found := e.byID(w)
	exact := byProcess != nil && slices.Contains(found, byProcess)
	for _, s := range found {
		if s.who.PID != 0 && !s.who.same(w) && s.held() && (exact || !s.vague || !s.facts.Vouched.Never()) {
			continue
		}
		if byProcess != nil && byProcess != s {
			if byProcess.blank() && byProcess.who.ID == "" { // it turns out to be s
				s.prefs.inherit(byProcess.prefs)
			}
			e.leave(byProcess)
		}
		s.adopt(w, matchID, e.by)
		return s
	}
	return nil
}

// same reports whether two processes are one. Ticks that are not known do not tell.
func (w Who) same(o Who) bool {
	return w.PID == o.PID && (w.Domain == o.Domain || w.Domain == "" || o.Domain == "") && (w.Ticks == o.Ticks || w.Ticks == 0 || o.Ticks == 0)
}

func (e *Engine) byID(w Who) (out []*entry) {
	if w.ID == "" {
		return nil
	}
	e.remember(w)
	for _, s := range e.order {
		if s.who.ID == w.ID && s.who.Tool == w.Tool && (w.Home == "" || s.who.Home == "" || s.who.Home == w.Home) {
			out = append(out, s)
		}
	}
	return out
}

// byTerm is the session in w's terminal, where nothing else is known of w: the last one
// that has not ended, or else the last one.
func (e *Engine) byTerm(w Who) *entry {
	if w.Term == "" || w.PID != 0 || w.ID != "" {
		return nil
	}
	var last *entry
	for _, s := range slices.Backward(e.order) {
		if s.who.Term != w.Term || w.Tool != "" && s.who.Tool != w.Tool || e.seats[w.Term] != nil && e.seatOf(s.who) == nil {
			continue
		}
		if s.ended.IsZero() {
			return s
		}
		last = cmp.Or(last, s)
	}
	return last
}

// vouching is the session that w's process vouches for without being tied to it.
func (e *Engine) vouching(w Who) *entry {
	if w.PID == 0 || w.ID != "" {
		return nil
	}
	for _, s := range e.order {
		if s.who.Tool == w.Tool && !s.facts.Tied && s.facts.Alive && s.view.PID == w.PID {
			return s
		}
	}
	return nil
}

func (e *Engine) byProcess(w Who) *entry {
	if w.PID == 0 {
		return nil
	}
	for _, s := range e.order {
		if s.who.Tool == w.Tool && s.who.same(w) && !(s.gone() && (w.Ticks == 0 || s.who.Ticks == 0)) {
			return s
		}
	}
	return nil
}

// gone reports whether its process is known to have ended: its number may have been
// given to another.
func (s *entry) gone() bool {
	f := &s.facts
	return f.Tied && !f.Alive && !f.Elsewhere && !f.Vouched.Never()
}

// held reports whether a process of its own is known to live, or may yet be. One that
// said it is over has only to go.
func (s *entry) held() bool {
	return s.facts.Tied && s.facts.closed().Never() && (s.facts.Alive || s.facts.Elsewhere || s.facts.Vouched.Never())
}

// dirs ranks who knows best in which folder a session works. Its process may have been
// left behind where it started.
var dirs = [witnesses]int{Process: 1, Transcript: 2, Listing: 3, Hook: 4}

// adopt takes over what w knows better than we did: a /clear gives the process a
// new id, a resume gives the id a new process.
func (s *entry) adopt(w Who, match string, by Witness) {
	s.view.Match = match
	if w.ID != "" && s.who.ID != w.ID {
		if s.who.ID != "" {
			s.rekeyed = true
			s.runs = append(s.runs, s.who.ID)
			s.runs = s.runs[max(0, len(s.runs)-runsKept):]
		}
		s.who.ID = w.ID
	}
	if w.PID != 0 {
		if !s.who.same(w) || !s.facts.Tied {
			if s.facts.Tied {
				s.facts.Marks, s.facts.Present, s.facts.Booting = nil, Stamp{}, Stamp{} // what the listing said of the other process
				s.facts.Bytes = 0
				s.restarted = true
			}
			s.facts.Tied = true
			// Whoever named the new process may be believed until it has been looked up.
			s.facts.Alive, s.facts.Elsewhere = !s.facts.Vouched.Never(), false
			s.who.Ticks = 0
		}
		s.who.PID = w.PID
		if w.Ticks != 0 {
			s.who.Ticks = w.Ticks
		}
		if w.Born != 0 {
			s.who.Born = w.Born
		}
		s.byDir = s.byDir && w.ID == "" // else it is told by its process
	}
	for _, p := range []struct {
		to   *string
		from string
	}{{&s.who.Tool, w.Tool}, {&s.who.Domain, w.Domain}, {&s.who.Home, w.Home}, {&s.who.Term, w.Term}, {&s.who.TTY, w.TTY}, {&s.who.RunsIn, w.RunsIn}} {
		if p.from != "" {
			*p.to = p.from
		}
	}
	if w.Dir != "" && (s.who.Dir == "" || dirs[by] >= dirs[s.dirBy]) {
		s.who.Dir, s.dirBy = w.Dir, by
	}
	if s.view.BeganIn == "" {
		s.view.BeganIn = s.who.Dir
	}
}

// leave takes its process from s: the CLI went over to another conversation.
func (e *Engine) leave(s *entry) {
	if s.blank() {
		e.dismiss(s)
		e.drop(s)
		return
	}
	s.facts.Alive, s.facts.Tied, s.facts.Vouched = false, true, Stamp{e.lived(e.now), Process}
	s.who.PID, s.who.Ticks = 0, 0
	e.touch(s)
}

// blank reports whether s never had a turn, as far as is known.
func (s *entry) blank() bool {
	return !(s.recalled && s.who.ID != "") && s.facts.active().Never() && len(s.facts.Ends) == 0
}

func (e *Engine) drop(s *entry) {
	e.order = slices.DeleteFunc(e.order, func(o *entry) bool { return o == s })
	if s.shown {
		e.gone = append(e.gone, s.view.ID)
	}
}
