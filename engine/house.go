package engine

import (
	"cmp"
	"time"
)

// Below is which process a conversation runs in, where nobody tells but its folder: a tool
// may run its turns in a server, apart from its terminals.

// inFolder lists the cards whose processes live in w's folder and for which is holds.
func (e *Engine) inFolder(w Who, is func(*entry) bool) (out []*entry) {
	if w.PID != 0 || w.Dir == "" || w.ID == "" {
		return nil
	}
	for _, s := range e.order {
		if s.who.Tool == w.Tool && s.who.Dir == w.Dir && s.facts.Alive && is(s) {
			out = append(out, s)
		}
	}
	return out
}

func only(list []*entry) *entry {
	if len(list) != 1 {
		return nil
	}
	return list[0]
}

// housing is the process in w's folder that w's conversation runs in, nil where there is
// none or no telling which. Of several that nothing is known of it is the one that was
// started last before the conversation began.
func (e *Engine) housing(w Who, f Fact) *entry {
	began := e.wallTime(e.at.At).UnixMilli()
	free := e.inFolder(w, func(s *entry) bool { return s.who.ID == "" && s.who.Born <= began })
	if one := only(free); one != nil {
		return one
	}
	if _, begins := f.(Started); !begins {
		return nil
	}
	var last *entry
	for _, s := range free {
		if s.who.Born == 0 {
			return nil
		}
		if last == nil || s.who.Born > last.who.Born {
			last = s
		}
	}
	return last
}

// rehouse gives a conversation that goes on after its process had gone the one process in
// its folder that no conversation is known of: it was resumed there.
func (e *Engine) rehouse(cards []*entry, w Who, f Fact) {
	s := only(cards)
	if _, begins := f.(Prompted); !begins || s == nil || s.facts.Alive || s.facts.Elsewhere || s.facts.Vouched.Never() || !e.at.At.After(s.facts.Vouched.At) {
		return
	}
	n := e.nameless(Who{Tool: s.who.Tool, ID: s.who.ID, Dir: cmp.Or(w.Dir, s.who.Dir)})
	if n == nil || !n.blank() {
		return
	}
	began := n.facts.First
	began.first(e.at)
	s.facts.Started.meet(began)
	s.facts.Marks, s.facts.Present, s.facts.Booting = nil, Stamp{}, Stamp{} // what the listing said of the other process
	s.byDir = true
	e.settle(n, s)
}

// predecessor is the card in the folder of s whose process is in that folder too and has
// gone over to the conversation of s: it was told by its folder alone, and has been quiet
// since s began.
func (e *Engine) predecessor(s *entry) *entry {
	if s.facts.Started.Never() || s.shown {
		return nil
	}
	return only(e.inFolder(Who{Tool: s.who.Tool, ID: s.who.ID, Dir: s.who.Dir}, func(o *entry) bool {
		return o.byDir && o.who.ID != "" && s.facts.Started.At.After(o.facts.active().At)
	}))
}

// heir is the card that run has vouched for so far, where it has gone over to s.
func (e *Engine) heir(run Who, s *entry) *entry {
	if s.facts.Started.Never() || s.shown {
		return nil
	}
	return only(e.inFolder(Who{Tool: s.who.Tool, ID: s.who.ID, Dir: s.who.Dir}, func(o *entry) bool {
		return o != s && !o.facts.Tied && o.view.PID == run.PID && o.who.ID != "" && s.facts.Started.At.After(o.facts.active().At)
	}))
}

// resumed notes that run, which vouches for s, has taken up a conversation that was over:
// what it did before is of another process.
func (e *Engine) resumed(run Who, s *entry) {
	if run.Born != 0 && !s.facts.Vouched.Never() && !s.facts.Alive {
		s.facts.Started.meet(Stamp{e.lived(time.UnixMilli(run.Born)), Process})
	}
}

// succeed gives the card o the conversation of s, and drops s.
func (e *Engine) succeed(o, s *entry) {
	o.adopt(Who{ID: s.who.ID}, matchFolder, Process)
	o.rekeyed = false
	was := o.facts
	o.facts = s.facts
	o.facts.First, o.facts.Tied, o.facts.Alive, o.facts.Elsewhere, o.facts.Vouched = was.First, was.Tied, was.Alive, was.Elsewhere, was.Vouched
	o.byDir = o.facts.Tied
	e.drop(s)
	e.touch(o)
}

// newcomer reports whether the process was started after the last sign of s, which nobody
// has vouched for by now.
func (e *Engine) newcomer(run Who, s *entry) bool {
	f := &s.facts
	last := latest(f.Wrote, f.Hooked, f.unvouched(), f.MarkedBy)
	return !f.Alive && !last.Never() && run.Born > e.wallTime(last.At).UnixMilli()
}

// unnamed is a process in the folder of s that no conversation is known of. There may be
// several, and no telling which it is: one vouches. Who is known to have ended needs none.
func (e *Engine) unnamed(s *entry) *entry {
	if s.who.ID == "" || !s.facts.unvouched().Never() {
		return nil
	}
	list := e.inFolder(Who{Tool: s.who.Tool, ID: s.who.ID, Dir: s.who.Dir}, func(n *entry) bool {
		return n.who.ID == "" && n.facts.Tied && n.blank() && !n.recalled && !e.newcomer(n.who, s)
	})
	if len(list) == 0 {
		return nil
	}
	return list[0]
}
