package engine

// seat is a terminal that we host, or have opened and wait for.
type seat struct {
	term string
	tty  string // its own: nothing but what runs in it has that; "": it is not there yet
	runs int    // the process that was started in it
}

// host notes that a terminal of ours is there, or has gone.
func (e *Engine) host(w Who, f Hosted, stamp Stamp) {
	if w.Term == "" {
		return
	}
	if !f.Open {
		for _, s := range e.seated(e.seats[w.Term]) {
			s.facts.Shut.meet(stamp)
			e.touch(s)
		}
		delete(e.seats, w.Term)
		return
	}
	t := e.reserve(w.Term)
	t.tty = w.TTY
	if f.Runs != 0 {
		t.runs = f.Runs
	}
	for _, s := range e.seated(t) {
		s.facts.Housed.meet(stamp)
		e.touch(s)
	}
}

// opened notes that a terminal was opened for s, which may be one that is there already.
func (e *Engine) opened(s *entry, stamp Stamp) {
	if t := e.seatOf(s.who); t != nil && t.tty != "" {
		s.facts.Housed.meet(stamp)
	}
}

// reserve is the terminal of that name, which may not be there yet.
func (e *Engine) reserve(term string) *seat {
	t := at(&e.seats, term)
	t.term = term
	return t
}

// seatOf is the terminal of ours that w is in, nil where it is in none. That it names one
// is not enough: its tty must be that one's own. Who is started by a server that was
// started there (tmux) inherits the name, and is not there.
func (e *Engine) seatOf(w Who) *seat {
	t := e.seats[w.Term]
	if t == nil || w.TTY != "" && t.tty != "" && w.TTY != t.tty {
		return nil
	}
	return t
}

// placed is w with the terminal that it is in, as far as by can tell: a process that was
// started in one, or by what was, is there without naming it; a name without a tty proves
// nothing.
func (e *Engine) placed(w Who, by Witness) Who {
	if by == User || by == Terminal {
		return w
	}
	if w.TTY == "" {
		w.Term = ""
	}
	for _, t := range e.seats {
		if w.Term == "" && w.Domain == "" && t.runs != 0 && (t.runs == w.PID || t.runs == w.Parent) && (w.TTY == "" || w.TTY == t.tty) {
			w.Term = t.term
		}
	}
	return w
}

// seated lists the cards in a terminal of ours.
func (e *Engine) seated(t *seat) (out []*entry) {
	for _, s := range e.order {
		if t != nil && e.seatOf(s.who) == t {
			out = append(out, s)
		}
	}
	return out
}

// tenant is the card that waits for w in its terminal, or the only one there, if nothing
// runs for it any more. but is none. begins: w has just begun.
func (e *Engine) tenant(w Who, but *entry, begins bool) *entry {
	t := e.seatOf(w)
	if t == nil {
		return e.expected(w, but, begins)
	}
	var waiting, all []*entry
	for _, s := range e.seated(t) {
		if s.who.Tool != w.Tool || s == but {
			continue
		}
		if all = append(all, s); s.awaited() {
			waiting = append(waiting, s)
		}
	}
	if one := only(waiting); one != nil {
		return one
	}
	if one := only(all); one != nil && !one.held() && !one.facts.Alive {
		return one
	}
	return nil
}

// expected is the only card in w's folder that waits for its CLI in a terminal which
// nobody tells of. What did not begin since is not what was waited for.
func (e *Engine) expected(w Who, but *entry, begins bool) *entry {
	var waiting []*entry
	for _, s := range e.order {
		opened := s.facts.Opened.At
		fresh := e.at.At.Sub(opened) <= e.limits[Connect] && (begins || w.Born > e.wallTime(opened).UnixMilli())
		if s.who.Tool == w.Tool && s != but && s.who.Term == "" && s.unborn() && fresh && w.Dir != "" && s.who.Dir == w.Dir {
			waiting = append(waiting, s)
		}
	}
	return only(waiting)
}

// awaited reports whether a terminal was opened for s in which its CLI has not shown yet.
func (s *entry) awaited() bool { return !s.facts.Opened.unless(s.facts.Sign).Never() }

// unborn reports whether s is nothing but a terminal that was opened for it.
func (s *entry) unborn() bool {
	return s.who.ID == "" && !s.facts.Tied && s.facts.Sign.Never() && !s.facts.Opened.Never()
}

// house has s, whose process w is in a terminal of ours, and the card that waits there be
// one: if nobody has seen s yet, it is what was waited for.
func (e *Engine) house(w Who, s *entry) *entry {
	c := e.tenant(w, s, false)
	switch {
	case c == nil:
		return s
	case s.shown || s.recalled:
		if c.unborn() {
			s.prefs.inherit(c.prefs)
			e.drop(c)
		}
		return s
	}
	c.adopt(s.who, matchTerm, Process)
	c.rekeyed, c.restarted = false, false
	was := c.facts
	c.facts, c.byDir = s.facts, s.byDir
	c.facts.First.first(was.First)
	c.facts.Opened, c.facts.Housed = was.Opened, was.Housed
	c.prefs.inherit(s.prefs)
	e.drop(s)
	e.touch(c)
	return c
}

// shut is a terminal that was closed before its CLI showed, or after it went.
func (f *Facts) shut() Stamp {
	return when(!f.Alive && !f.Elsewhere && !f.served(), f.Shut.unless(f.Opened, f.Sign))
}

// missed is a terminal that was opened and never came to be.
func (f *Facts) missed() Stamp { return f.Opened.until(f.Housed).unless(f.Sign) }
