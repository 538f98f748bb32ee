package engine

import (
	"slices"
	"time"
)

// Stamp is when something was seen, and by whom. The zero Stamp is never.
// Facts are stamped in lived time, see [clock].
type Stamp struct {
	At time.Time
	By Witness
}

// Never reports whether s is the zero Stamp.
func (s Stamp) Never() bool { return s.At.IsZero() }

// meet keeps the later of two stamps. Facts only ever meet, so the order in
// which events arrive does not matter.
func (s *Stamp) meet(o Stamp) bool {
	if o.At.After(s.At) || o.At.Equal(s.At) && o.By > s.By {
		*s = o
		return true
	}
	return *s == o
}

// first keeps the earlier of two stamps.
func (s *Stamp) first(o Stamp) {
	if s.Never() || o.At.Before(s.At) || o.At.Equal(s.At) && o.By > s.By {
		*s = o
	}
}

// unless returns s, or never if any of later came after it.
func (s Stamp) unless(later ...Stamp) Stamp {
	for _, l := range later {
		if l.At.After(s.At) {
			return Stamp{}
		}
	}
	return s
}

// until is unless, where what came at the same moment counts as later.
func (s Stamp) until(later ...Stamp) Stamp {
	for _, l := range later {
		if !l.Never() && !l.At.Before(s.At) {
			return Stamp{}
		}
	}
	return s
}

func latest(ss ...Stamp) (l Stamp) {
	for _, s := range ss {
		l.meet(s)
	}
	return l
}

func when(ok bool, s Stamp) Stamp {
	if !ok {
		return Stamp{}
	}
	return s
}

// ringSize bounds what is kept of things of which the last is not enough.
const ringSize = 16

// end is one end of a turn, as one witness told it.
type end struct {
	Stamp
	Trouble Trouble
	Running int // own sub-agents, workflows and monitors that run on
	Shells  int // background shells that run on
	// Uncounted: nobody counted the shells.
	Uncounted bool
}

// ends is a short ring of the last ends, oldest first. Several witnesses tell one
// end, and none of them may pass for another.
type ends []end

func (r *ends) add(e end) {
	for i := range *r {
		if o := &(*r)[i]; o.Stamp == e.Stamp {
			o.Running = max(o.Running, e.Running)
			o.Trouble = max(o.Trouble, e.Trouble)
			o.Shells = max(o.Shells, e.Shells)
			o.Uncounted = o.Uncounted && e.Uncounted
			return
		}
	}
	*r = append(*r, e)
	slices.SortFunc(*r, func(a, b end) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return int(a.By) - int(b.By)
	})
	if len(*r) > ringSize {
		*r = slices.Delete(*r, 0, 1)
	}
}

// lastBefore is when the last turn ended that ended before t.
func (r ends) lastBefore(t time.Time) (at time.Time) {
	for _, e := range r {
		if e.At.Before(t) {
			at = e.At
		}
	}
	return at
}

// worst is e, with the trouble that another witness told of the same end.
func (r ends) worst(e end) end {
	for _, o := range r {
		if e.Trouble == "" && !o.At.Before(e.At) && o.At.Sub(e.At) <= instant {
			e.Trouble = o.Trouble
		}
	}
	return e
}

// firstAfter is the first end that is not before t, told by one of by.
func (r ends) firstAfter(t time.Time, by ...Witness) (end, bool) {
	for _, e := range r {
		if !e.At.Before(t) && slices.Contains(by, e.By) {
			return e, true
		}
	}
	return end{}, false
}
