package engine

import (
	"slices"
	"time"
)

// mark is one level of a listing, since when it holds, and when we heard of it: a
// busy machine writes late what it stamped early.
type mark struct {
	Level     Level
	At, Heard time.Time
}

// marks is a short ring of what the listing said, oldest first. A listing is a
// level: it holds until it says something else.
type marks []mark

func (r *marks) add(m mark) {
	i, found := slices.BinarySearchFunc(*r, m, func(a, b mark) int { return a.At.Compare(b.At) })
	if found {
		o := &(*r)[i]
		o.Level = max(o.Level, m.Level)
		if m.Heard.Before(o.Heard) {
			o.Heard = m.Heard
		}
		return
	}
	*r = slices.Insert(*r, i, m)
	if len(*r) > ringSize {
		*r = slices.Delete(*r, 0, 1)
	}
}

// now is the level that holds, and since when. First tells that nothing else was
// ever said.
func (r marks) now() (l Level, at time.Time, first bool) {
	if len(r) == 0 {
		return Unlisted, time.Time{}, false
	}
	i := len(r) - 1
	for i > 0 && r[i-1].Level == r[i].Level {
		i--
	}
	return r[i].Level, r[i].At, i == 0
}

// rested reports whether the present level was preceded by a rest that was more than a
// moment between two turns.
func (r marks) rested() bool {
	l, at, _ := r.now()
	var since time.Time
	for i := len(r) - 1; i >= 0; i-- {
		switch r[i].Level {
		case l:
			if !since.IsZero() {
				return at.Sub(since) >= instant
			}
		case ListedIdle, ListedShell, ListedDone, ListedFailed:
			since = r[i].At
		default:
			return !since.IsZero() && at.Sub(since) >= instant
		}
	}
	return !since.IsZero() && at.Sub(since) >= instant
}

// dialogs reports whether the listing is one that tells of dialogs.
func (r marks) dialogs() bool {
	return slices.ContainsFunc(r, func(m mark) bool { return m.Level >= ListedAsking && m.Level <= ListedDialog })
}

// leftDialog reports whether the listing went from a dialog to work or rest after t. Who
// begins to look well after t may find no more than that: while a dialog is open the
// listing says so from a moment after it was asked.
func (r marks) leftDialog(t time.Time) bool {
	dialog := false
	for i, m := range r {
		dialog = dialog || i == 0 && m.At.After(t.Add(lag))
		switch m.Level {
		case ListedAsking, ListedQuestion, ListedWaiting:
			dialog = true
		case ListedBusy, ListedIdle, ListedShell, ListedDone, ListedFailed:
			if dialog && m.At.After(t) {
				return true
			}
			dialog = false
		}
	}
	return false
}

// turns is what the ring tells of turns: the one under way, or the last that ended.
type turns struct {
	Open   bool
	Began  time.Time // of the turn under way or the last one; zero: none in the ring
	Ended  time.Time // of the last one; zero: none ended in the ring
	Heard  time.Time // when we heard of that end
	Closed bool      // it ended with a dialog, not with work
	Rests  time.Time // since when no turn is under way; zero: one is
	Fresh  bool      // the turn is the first thing the listing ever said
}

// turns walks the ring. A dialog the user opens at rest is no turn, and neither
// is its end; a dialog inside a turn does not end it.
func (r marks) turns() (t turns) {
	var dialog bool
	for i, m := range r {
		switch m.Level {
		case ListedBusy, ListedAsking, ListedQuestion, ListedWaiting:
			if !t.Open {
				t.Open, t.Began, t.Fresh = true, m.At, i == 0
			}
			t.Rests = time.Time{}
			dialog = m.Level != ListedBusy
		case ListedIdle, ListedShell, ListedDone, ListedFailed:
			if t.Open {
				t.Open, t.Ended, t.Rests, t.Heard, t.Closed = false, m.At, m.At, m.Heard, dialog
			}
			if t.Rests.IsZero() {
				t.Rests = m.At
			}
		case Unlisted, ListedSilent:
			t = turns{}
		}
	}
	return t
}
