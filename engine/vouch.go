package engine

import (
	"cmp"
	"slices"
	"time"
)

// looked records what a look at one process found. A process that nobody attends
// takes its session with it: claude -p is never a card (SPEC section 4).
func (e *Engine) looked(w Who, f Alive, stamp Stamp) {
	s := e.byProcess(w)
	if s == nil {
		s = e.widowed(w, f)
	}
	if s == nil {
		return
	}
	if w.Loose && !s.recalled && len(s.facts.Marks) == 0 && s.facts.Present.Never() { // what the CLI lists, or listed, as a session is one
		e.drop(s)
		w.ID = cmp.Or(s.who.ID, w.ID)
		e.disown(w)
		return
	}
	s = e.named(w, s)
	if p := e.byProcess(Who{Tool: s.who.Tool, PID: w.Parent}); p != nil && p != s && f.Yes && s.who.ID != "" && p.who.ID == s.who.ID {
		e.supersede(p, s)
		s = p
	}
	if s.byDir && s.facts.Apart && !f.Yes && !f.Elsewhere {
		s.untie()
	}
	e.seen(s, f, stamp)
}

// widowed is the session that w's process has vouched for by its folder alone, where it
// was the only one in there and is gone: it ran in that, unless its turns run apart.
func (e *Engine) widowed(w Who, f Alive) *entry {
	s := e.vouching(w)
	if s == nil || f.Yes || f.Elsewhere || s.facts.Apart {
		return nil
	}
	in := Who{Tool: s.who.Tool, ID: s.who.ID, Dir: s.who.Dir}
	if len(e.inFolder(in, func(*entry) bool { return true })) != 1 {
		return nil
	}
	s.adopt(Who{PID: w.PID, Ticks: w.Ticks}, matchFolder, Process)
	return s
}

// untie takes its process from s, which was told by its folder alone and whose turns run
// elsewhere: they may go on, and be told of.
func (s *entry) untie() {
	s.facts.Tied, s.byDir = false, false
	s.who.PID, s.who.Ticks, s.who.Born, s.view.PID = 0, 0, 0, 0
}

// seen records that the process of s was looked at.
func (e *Engine) seen(s *entry, f Alive, stamp Stamp) {
	e.renew(s, stamp)
	f.record(&s.facts, stamp)
	if f.Yes {
		s.facts.Sign.meet(stamp)
	}
	e.touch(s)
}

// enrol resolves a whole list of a tool's own: who is on it has its level, and who is on
// it no longer is gone, if the list named it before and nobody is missing. A list speaks
// for its own home only (SPEC section 3).
func (e *Engine) enrol(ev Event, r Roster) {
	for _, m := range r.Rows {
		one := ev
		one.Who.ID, one.Who.Dir, one.Fact = m.ID, m.Dir, Listed{m.Level}
		known := e.byID(one.Who)
		if len(known) == 0 {
			e.record(one)
			known = e.byID(one.Who)
		}
		for _, s := range known {
			s.facts.Enrolled, s.facts.Served = true, r.Serves && m.Level != ListedSilent
			e.touch(s)                                                // who serves it may be another, though the word is the same
			if level, _, _ := s.facts.Marks.now(); level != m.Level { // else it is the same word once more
				one.Who = Who{Card: s.view.ID}
				e.record(one)
			}
		}
	}
	if !r.Complete {
		return
	}
	for _, s := range slices.Clone(e.order) {
		listed := s.who.Tool == ev.Who.Tool && s.who.Home == ev.Who.Home && s.facts.Enrolled
		if listed && !slices.ContainsFunc(r.Rows, func(m Member) bool { return m.ID == s.who.ID }) {
			s.facts.Enrolled = false
			one := ev
			one.Who, one.Fact = Who{Card: s.view.ID}, Listed{Unlisted}
			e.record(one)
		}
	}
}

// named gives s, found by its process w, the conversation that its command line names.
// A card that has this conversation already takes the process over instead; what a
// listing said of s is worth more.
func (e *Engine) named(w Who, s *entry) *entry {
	if s.who.ID != "" {
		w.ID = ""
	}
	if w.ID != "" {
		if h := e.holder(w, s); h != nil {
			h.facts.Booting = s.facts.Booting
			return e.house(w, h)
		}
	}
	s.adopt(w, s.view.Match, Process)
	return e.house(w, s)
}

// vouch resolves a whole table of the processes of one tool (SPEC section 2, "how
// much one process vouches for"): those tied to a session vouch for it, the others
// for the sessions of their folder that wrote last. A process nobody knows is a
// session of its own.
func (e *Engine) vouch(w Who, t Table, stamp Stamp) {
	runs, loose := attended(t.Runs)
	for _, run := range runs {
		run.Tool = w.Tool
		e.disowned(run)
		e.relaunched(run, t.Runs)
	}
	for _, s := range e.order { // one that is not in the table may still live: it is looked up
		if s.who.Tool == w.Tool && s.facts.Tied && s.facts.Alive && !slices.ContainsFunc(runs, s.who.same) {
			s.asked[AskProcess] = Who{}
			e.touch(s)
		}
	}
	var free []Who // processes tied to no session
	for _, run := range runs {
		run.Tool = w.Tool
		run = e.placed(run, Process)
		if s := e.byProcess(run); s != nil {
			s = e.named(run, s)
			e.seen(s, Alive{Yes: true}, stamp)
			continue
		}
		if run.ID != "" {
			if s := e.holder(run, nil); s != nil {
				e.seen(e.house(run, s), Alive{Yes: true}, stamp)
				continue
			}
		}
		if s := e.tenant(run, nil, false); s != nil {
			s.adopt(run, matchTerm, Process)
			e.seen(s, Alive{Yes: true}, stamp)
			continue
		}
		free = append(free, run)
	}
	heirs := map[*entry]bool{} // cards whose process has gone over to another conversation
	for _, s := range e.untied(w.Tool) {
		if heirs[s] || e.leftAlone(s, free, loose) {
			continue
		}
		i := slices.IndexFunc(free, func(r Who) bool {
			return r.Dir != "" && (r.Dir == s.who.Dir || r.Dir == s.view.BeganIn) && !e.newcomer(r, s)
		})
		if i < 0 && s.view.Status == Ended && s.facts.Wrote.At.Before(s.facts.Vouched.At) {
			continue // it is as gone as it was
		}
		s.view.PID = 0
		if i >= 0 {
			run := free[i]
			free = slices.Delete(free, i, i+1)
			if o := e.heir(run, s); o != nil {
				e.succeed(o, s)
				s, heirs[o] = o, true
			}
			e.resumed(run, s)
			s.vouchedBy(run)
		} else if n := e.unnamed(s); n != nil {
			e.resumed(n.who, s)
			s.vouchedBy(n.who)
			e.drop(n)
			i = 0
		} else if o := e.predecessor(s); o != nil {
			e.succeed(o, s)
			continue
		}
		e.seen(s, Alive{Yes: i >= 0}, stamp)
	}
	for _, run := range free {
		s := e.found(run)
		s.facts.First.first(stamp)
		if run.Born != 0 && run.ID != "" { // what its conversation had before is of another process
			s.facts.Started.meet(Stamp{e.lived(time.UnixMilli(run.Born)), Process})
		}
		e.seen(s, Alive{Yes: true}, stamp)
	}
}

// relaunched gives the card of a process that only waits for another, which it started in
// its own place, to that one.
func (e *Engine) relaunched(run Who, all []Who) {
	if run.Parent == 0 || slices.ContainsFunc(all, func(o Who) bool { return o.PID == run.Parent }) {
		return
	}
	p, s := e.byProcess(Who{Tool: run.Tool, PID: run.Parent}), e.byProcess(run)
	switch {
	case p == nil || p == s || !p.facts.Alive || p.who.ID != "" && run.ID != "" && p.who.ID != run.ID:
	case s == nil:
		p.adopt(run, p.view.Match, Process)
	case p.blank():
		e.drop(p)
	case p.who.ID == s.who.ID:
		e.supersede(p, s)
	}
}

// supersede gives the card p what is known of s, which has the same conversation and was
// started by the process of p in its own place.
func (e *Engine) supersede(p, s *entry) {
	p.adopt(s.who, s.view.Match, Process)
	p.facts, p.restarted = s.facts, false
	e.drop(s)
	e.touch(p)
}

// untied lists the sessions of a tool that no process of their own is known for,
// the one that wrote last first.
func (e *Engine) untied(tool string) (out []*entry) {
	for _, s := range e.order {
		if s.who.Tool == tool && !s.facts.Tied && !s.unborn() {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b *entry) int { return b.facts.Wrote.At.Compare(a.facts.Wrote.At) })
	return out
}

// release takes the process that s turns out to be from whatever card it vouched for
// by its folder alone.
func (e *Engine) release(s *entry, stamp Stamp) {
	for _, o := range e.order {
		if o != s && !o.facts.Tied && o.view.PID == s.who.PID && o.view.PID != 0 && o.who.Tool == s.who.Tool {
			o.view.PID = 0
			Alive{}.record(&o.facts, stamp)
			e.touch(o)
		}
	}
}

// vouchedBy shows the process that vouches for s without tying s to it.
func (s *entry) vouchedBy(w Who) {
	s.view.Match = matchFolder
	s.view.PID = w.PID
	s.who.TTY, s.who.RunsIn = w.TTY, w.RunsIn
}
