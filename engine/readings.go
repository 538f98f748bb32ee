package engine

import (
	"cmp"
	"slices"
)

// Below are the readings the rules rest on. Each is a stamp: since when, by whom.

// active is the last sign of the session's own turn; sub-agents do not count.
func (f *Facts) active() Stamp { return latest(f.Prompted, f.Replied, f.Acted, f.SentBack) }

// resumed is the last sign that a turn is under way again: an end before it is that of
// another turn.
func (f *Facts) resumed() Stamp {
	return latest(f.active(), f.Started, f.stirs())
}

// ended is how the turn ended, by whoever told it first.
func (f *Facts) ended() (end, bool) {
	e, ok := f.endAfter(f.resumed(), Transcript, Hook)
	return f.Ends.worst(e), ok
}

// endAfter is the first end since s that one of by told, or that of the turn which a
// machine began after it: such a turn may fail before its first word.
func (f *Facts) endAfter(s Stamp, by ...Witness) (end, bool) {
	e, ok := f.Ends.firstAfter(s.At, by...)
	if ok && f.Machined.At.After(e.At) {
		if again, ended := f.Ends.firstAfter(f.Machined.At, by...); ended {
			return again, true
		}
	}
	return e, ok
}

// endedBy is the end of the turn by the given witness, if it went as is says.
func (f *Facts) endedBy(w Witness, is func(Trouble) bool) Stamp {
	e, ok := f.endAfter(f.resumed(), w)
	return when(ok && is(e.Trouble), f.settled(e))
}

// lastBy is the last end the given witness told, of any turn.
func (f *Facts) lastBy(w Witness) (last end) {
	for _, e := range f.Ends {
		if e.By == w {
			last = e
		}
	}
	return last
}

func well(t Trouble) bool  { return t == "" }
func badly(t Trouble) bool { return t != "" && t != Interrupted }

func (f *Facts) finished() Stamp { return f.endedBy(Hook, well) }
func (f *Facts) answered() Stamp { return f.endedBy(Transcript, well) }
func (f *Facts) failed() Stamp   { return f.endedBy(Hook, badly) }
func (f *Facts) troubled() Stamp { return f.endedBy(Transcript, badly) }

func (f *Facts) interrupted() Stamp {
	e, ok := f.ended()
	return when(ok && e.Trouble == Interrupted, e.Stamp)
}

// goesOn is an end after which the session's own sub-agents run on.
func (f *Facts) goesOn() Stamp {
	n := len(f.Ends)
	switch {
	case n == 0:
		return Stamp{}
	case f.Ends[n-1].Running > 0:
		return f.Ends[n-1].unless(f.active())
	case well(f.Ends[n-1].Trouble) && f.awaited():
		return latest(f.Ends[n-1].Stamp, f.over()).unless(f.active())
	}
	return Stamp{}
}

// awaited reports whether a sub-agent runs whose end will be told.
func (f *Facts) awaited() bool {
	for _, r := range f.Agents {
		if r.Told && r.Done.At.Before(latest(r.Began, r.Moved).At) && !f.Started.At.After(r.Began.At) {
			return true
		}
	}
	return false
}

// isOpen reports whether c runs. What was open when the CLI started over, or when
// its turn ended, will never have a result (facts/claude.md section 5: a dangling
// call stays in the transcript also after --resume).
func (f *Facts) isOpen(c *Call) bool {
	if c.Opened.Never() || !c.Closed.Never() || f.Started.At.After(c.Opened.At) {
		return false
	}
	if r := f.Results[dialogID(c.Agent, c.Key)]; r != nil && c.Key != "" && r.At.After(c.Opened.At) {
		return false
	}
	if c.Agent != "" {
		r := f.Agents[c.Agent]
		return r == nil || r.Done.Never() || r.Done.At.Before(c.Opened.At)
	}
	if f.Told.At.After(c.Opened.At) { // a hook tells of a prompt when it is queued
		return false
	}
	_, over := f.Ends.firstAfter(c.Opened.At, Transcript, Hook)
	return !over
}

// open lists the calls that run, the oldest first.
func (f *Facts) open() (ids []string) {
	for id, c := range f.Open {
		if f.isOpen(c) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(f.Calls[a].Opened.At.Compare(f.Calls[b].Opened.At), cmp.Compare(a, b))
	})
	return ids
}

// opened is the last sign of a call of the session itself that runs.
func (f *Facts) opened() (s Stamp) {
	for _, c := range f.Open {
		if c.Agent == "" && c.Opened.By != Hook && !c.Mute && f.isOpen(c) {
			s.meet(latest(c.Opened, f.Wrote))
		}
	}
	return s
}

// unsure reports whether a call of the session itself is open that nobody can tell of
// whether it runs or waits for you.
func (f *Facts) unsure() bool {
	for _, c := range f.Open {
		if c.Agent == "" && c.Opened.By != Hook && c.Mute && f.isOpen(c) {
			return true
		}
	}
	return false
}

// questions are the open calls that are questions by nature, and that no hook told of.
func (f *Facts) questions() (out []keyed) {
	for _, id := range f.open() {
		if c := f.Calls[id]; c.Quiet == Answer && c.Opened.By != Hook {
			out = append(out, keyed{Key: id, Stamp: c.Opened})
		}
	}
	return out
}

// writing are the sub-agents that move, the one that moved last first.
func (f *Facts) writing() (out []keyed) {
	for id, r := range f.Agents {
		if s := r.Moved.unless(r.Done, f.Started); !s.Never() && r.Done.At.Before(s.At) {
			out = append(out, keyed{Key: id, Stamp: s})
		}
	}
	slices.SortFunc(out, func(a, b keyed) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Key, b.Key)) })
	return out
}

// wrote is the last sign of a turn that has not ended.
func (f *Facts) wrote() Stamp {
	return f.unlessMute(latest(f.Wrote, f.Acted, f.Result).unless(f.Started, f.stirs()))
}

// unlessMute is s, unless its turn has ended or nothing has come of a prompt that a hook
// told of. The transcript's own record of the prompt, a moment before, has come of it.
func (f *Facts) unlessMute(s Stamp) Stamp {
	_, over := f.ended()
	old := s.At.Before(f.Prompted.At.Add(-lag)) || s.At.Before(f.Prompted.At) && !s.At.After(f.Ends.lastBefore(f.Prompted.At))
	return when(!over && !(f.Prompted.By == Hook && old), s)
}

// moving is the last record of a turn that has not ended. What a hook tells of a call
// that runs is worth more.
func (f *Facts) moving() Stamp {
	return when(len(f.running()) == 0, f.unlessMute(f.Wrote.unless(f.Started, f.stirs())))
}

// fresh is a last record that is no end: the agent's text, mostly.
func (f *Facts) fresh() Stamp {
	return when(f.opened().Never() && !f.unsure() && len(f.running()) == 0, f.wrote())
}

// spoken is fresh where the last word is the agent's.
func (f *Facts) spoken() Stamp {
	return when(!f.Replied.Never() && f.Replied == f.active(), f.fresh())
}

// begun is fresh where the agent has yet to speak.
func (f *Facts) begun() Stamp { return when(f.spoken().Never(), f.fresh()) }

// level is the stamp of the listing while it is at one of the given levels.
func (f *Facts) level(is ...Level) Stamp {
	l, at, _ := f.Marks.now()
	return when(slices.Contains(is, l), Stamp{at, f.MarkedBy.By})
}

// busyOn is the listing saying that a turn is under way, without a rest before it.
func (f *Facts) busyOn() Stamp {
	_, _, first := f.Marks.now()
	return when(!first && !f.Marks.rested(), f.level(ListedBusy))
}

// busyAgain is the listing saying so after a rest. A /clear is busy for a moment under
// the old id too.
func (f *Facts) busyAgain() Stamp {
	_, _, first := f.Marks.now()
	return when(!first && f.Marks.rested(), f.level(ListedBusy))
}

// busyAtFirst is the listing's very first word: a /clear is busy for a moment too.
func (f *Facts) busyAtFirst() Stamp {
	_, _, first := f.Marks.now()
	busy := f.level(ListedBusy)
	return when(first && !busy.Never(), latest(busy, f.Started))
}

// over is the moment we heard that the listing says no turn is under way any more.
func (f *Facts) over() Stamp {
	t := f.Marks.turns()
	return when(!t.Open && !t.Ended.IsZero(), Stamp{t.Heard, f.MarkedBy.By})
}

// paused is over after work: a queued prompt may follow. After a dialog none does.
func (f *Facts) paused() Stamp { return when(!f.Marks.turns().Closed, f.over()) }

// pausing is paused, but for the moment of work that a new conversation begins with.
func (f *Facts) pausing() Stamp {
	t := f.Marks.turns()
	return when(!t.Fresh || t.Ended.Sub(t.Began) >= instant, f.paused())
}

// proven reports whether what the listing called busy was a turn: a record of it
// is in the transcript. Where no transcript is known, it is believed.
func (f *Facts) proven() bool {
	t := f.Marks.turns()
	began := t.Began.Add(-lag)
	if f.Recorded.Never() {
		return !t.Fresh || f.Started.At.Before(began) // a /clear is busy for a moment
	}
	return f.active().At.After(began)
}

// rested is the end of a turn, by the listing.
func (f *Facts) rested() Stamp {
	failed := f.level(ListedFailed)
	return when(f.proven() && failed.Never(), f.over().unless(f.spokenTo()))
}

// botched is the listing saying that what it was asked for has failed.
func (f *Facts) botched() Stamp { return f.level(ListedFailed).unless(f.spokenTo()) }

// spokenTo is a prompt that a hook told of: it is of this very process, and comes a
// moment before the listing says busy.
func (f *Facts) spokenTo() Stamp { return when(f.Prompted.By == Hook, f.Prompted) }

// left is rested out of a dialog, which was answered with no.
func (f *Facts) left() Stamp { return when(f.Marks.turns().Closed, f.rested()) }

// doubtful is an end by the listing of which the transcript knows no turn yet.
func (f *Facts) doubtful() Stamp {
	p, t := f.paused(), f.Marks.turns()
	return when(!f.proven() && !f.Recorded.Never() && f.Compacted.At.Before(t.Began), p)
}

// unanswered is the end of a turn that was interrupted before the first word:
// nothing is written then (facts/claude.md section 0, 2).
func (f *Facts) unanswered() Stamp {
	_, over := f.ended()
	mute := !over && f.Prompted == f.active() && f.Told.At.After(f.Marks.turns().Began.Add(-lag))
	return when(mute, f.rested())
}

// resting is the listing saying that nothing runs. A question of this run that the
// transcript has open is not erased by it (C54).
func (f *Facts) resting() Stamp {
	t := f.Marks.turns()
	rests := Stamp{t.Rests, f.MarkedBy.By}
	return when(!rests.Never() && len(f.questions()) == 0, rests.unless(f.spokenTo()))
}

// dialog is a dialog of no known kind in the middle of a turn.
func (f *Facts) dialog() Stamp { return when(f.Marks.turns().Open, f.level(ListedDialog)) }

// unlisted is the moment the CLI took itself off its own list, where it was on it: what
// was never listed may be starting (C54).
func (f *Facts) unlisted() Stamp {
	named := !f.Present.Never() || !f.Booting.Never() || slices.ContainsFunc(f.Marks, func(m mark) bool { return m.Level != Unlisted })
	return when(named, f.level(Unlisted).unless(f.Started, f.Prompted))
}

// dead is the moment its process was seen to be gone.
func (f *Facts) dead() Stamp {
	return when(!f.Alive && !f.Elsewhere && f.Tied && !f.served(), f.Vouched.unless(f.Started))
}

// served reports whether a server says that its turn is under way, which needs no process
// of its own.
func (f *Facts) served() bool { return f.Served && f.Marks.turns().Open }

// lost is dead in the middle of a turn.
func (f *Facts) crashed() Stamp {
	_, over := f.ended()
	open := f.Marks.turns().Open || len(f.Marks) == 0 && !over && !f.active().Never() && f.active().At.After(f.Started.At)
	return when(open && f.Closed.unless(f.Started).Never(), f.dead())
}

// unvouched is dead for a session that was never tied to one process. A later write
// overrules an old look, unless it is the end of a turn that began before that.
func (f *Facts) unvouched() Stamp {
	later := f.Wrote
	if _, over := f.ended(); over && !f.Prompted.At.After(f.Vouched.At) {
		later = Stamp{}
	}
	return when(!f.Alive && !f.Elsewhere && !f.Tied && !f.served(), f.Vouched.unless(later))
}

// unscanned is a session nobody has looked for among the processes yet.
func (f *Facts) unscanned() Stamp { return when(f.Vouched.Never() && f.Opened.Never(), f.First) }

// booting is the first sign of a process that its listing has not named yet.
func (f *Facts) booting() Stamp { return when(len(f.Marks) == 0 && f.Present.Never(), f.Booting) }

// stirring is booting by a process that was last seen to be busy with it.
func (f *Facts) stirring() Stamp { return when(!f.booting().Never(), f.Stirred.until(f.Quieted)) }

// stuck is booting by a process that does nothing: it waits for you.
func (f *Facts) stuck() Stamp { return when(!f.booting().Never(), f.Quieted.unless(f.Stirred)) }

func (f *Facts) known() Stamp { return f.First }
