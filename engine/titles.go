package engine

import (
	"slices"
	"time"
)

// spell is a time during which the title's forms said the same.
type spell struct {
	Level    Level
	Moves    bool
	From, To time.Time // its first form, and its last
}

// titles is a short ring of what the title of a terminal said, oldest first. One
// program writes it, so what comes late is old.
type titles struct {
	Spells []spell
	Form   string // the last one
	Moved  bool   // two forms were seen: before that, a title says nothing (SPEC section 3)
}

func (t *titles) add(e Titled, at time.Time) {
	n := len(t.Spells)
	switch {
	case n > 0 && !at.After(t.Spells[n-1].To):
		return
	case n > 0 && e.Form != t.Form:
		t.Moved = true
	}
	t.Form = e.Form
	if n > 0 && t.Spells[n-1].Level == e.Level {
		o := &t.Spells[n-1]
		o.To, o.Moves = at, o.Moves || e.Moves
		return
	}
	if n > 0 && !t.Spells[n-1].Moves {
		t.Spells[n-1].To = at // it stood still until now
	}
	t.Spells = append(t.Spells, spell{e.Level, e.Moves, at, at})
	if len(t.Spells) > ringSize {
		t.Spells = slices.Delete(t.Spells, 0, 1)
	}
}

// now is what the title says at last. ok is false where it says nothing.
func (t *titles) now() (s spell, ok bool) {
	if !t.Moved || len(t.Spells) == 0 {
		return s, false
	}
	return t.Spells[len(t.Spells)-1], true
}

// turnedBusy is when the title last changed to saying busy. That it was so from the
// first is no change.
func (t *titles) turnedBusy() (at time.Time) {
	for i, s := range t.Spells {
		if i > 0 && s.Level == ListedBusy {
			at = s.From
		}
	}
	return at
}

// stirs is the title having changed to saying busy.
func (f *Facts) stirs() Stamp {
	at := f.Titles.turnedBusy()
	return when(!at.IsZero(), Stamp{at, Terminal})
}

// busy is when the title last said busy, and was seen to move.
func (t *titles) busy() (at time.Time) {
	for _, s := range t.Spells {
		if t.Moved && s.Level == ListedBusy {
			at = s.To
		}
	}
	return at
}

// titled is the title while it says one of the given levels. A form that moves by itself
// is believed for a while, one that does not until another takes its place.
func (f *Facts) titled(is ...Level) []keyed {
	s, ok := f.Titles.now()
	switch {
	case !ok || !slices.Contains(is, s.Level):
		return nil
	case s.Moves:
		return []keyed{{Stamp: Stamp{s.To, Terminal}, For: Still}}
	}
	return []keyed{{Stamp: Stamp{s.From, Terminal}}}
}

// titledRest is the title having gone over to saying in so many words that nothing runs.
func (f *Facts) titledRest() Stamp {
	s, ok := f.Titles.now()
	return when(ok && s.Level == ListedIdle && !f.stopped().Never(), Stamp{s.From, Terminal}.unless(f.Prompted, f.Started))
}

// titledBusy is the title saying that a turn is under way, or having said so a moment ago.
func (f *Facts) titledBusy() []keyed {
	if said := f.titled(ListedBusy); said != nil {
		return said
	}
	if !f.titledRest().Never() {
		return nil
	}
	return []keyed{{Stamp: f.stopped(), For: Still}}
}

// stopped is the last time that the title said busy, in this turn.
func (f *Facts) stopped() Stamp {
	at := f.Titles.busy()
	return when(!at.IsZero(), Stamp{at, Terminal}.unless(f.Prompted, f.Started))
}

// titledAsking is the title saying that a dialog is open. It may not tell of which kind:
// an open call that is a question does.
func (f *Facts) titledAsking() []keyed {
	if len(f.asking()) > 0 {
		return nil
	}
	return f.titled(ListedAsking)
}

// titledQuestion is the title saying that a question is open.
func (f *Facts) titledQuestion() []keyed {
	if len(f.asking()) > 0 {
		return f.titled(ListedAsking, ListedQuestion)
	}
	return f.titled(ListedQuestion)
}

// asking are the open calls that are questions by nature, whoever told of them.
func (f *Facts) asking() (ids []string) {
	for _, id := range f.open() {
		if f.Calls[id].Quiet == Answer {
			ids = append(ids, id)
		}
	}
	return ids
}

// stilled is the title having stopped to move in the middle of a turn in which no call
// is open.
func (f *Facts) stilled() Stamp {
	return when(len(f.open()) == 0 && f.titledRest().Never(), f.stopped())
}

// hosted reports whether a terminal of ours shows it: only such tell what they print.
func (f *Facts) hosted() bool { return !f.Drew.Never() }

// drawn is opened where the terminal tells when it prints: then silence means more.
func (f *Facts) drawn() Stamp {
	s := f.opened()
	return when(!s.Never() && f.hosted(), latest(s, f.Drew))
}

// undrawn is opened where nobody tells what the terminal prints.
func (f *Facts) undrawn() Stamp { return when(!f.hosted(), f.opened()) }

// connecting is a terminal that was opened for it, before the first sign of its CLI.
func (f *Facts) connecting() []keyed {
	k := keyed{Stamp: f.Opened.unless(f.Sign), For: Connect}
	if f.Terse {
		k.For = ConnectOther
	}
	return []keyed{k}
}
