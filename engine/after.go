package engine

// Below are the readings for what follows the end of a turn without a break, where no
// listing tells that the session is busy: a prompt in line, and hooks of the user's that
// work at the end of a turn.

func (e Queued) record(f *Facts, s Stamp) {
	switch {
	case e.Dropped:
		f.Dropped.meet(s)
	case e.Ran:
		f.Ran.meet(s)
	default:
		f.Queued.meet(s)
	}
}

func (e Checked) record(f *Facts, s Stamp) {
	if e.Back {
		f.SentBack.meet(s)
	} else {
		f.Checked.meet(s)
	}
}

// lined is the end of the turn behind which a prompt was put in line.
func (f *Facts) lined() (e end, ok bool) {
	e, ok = f.Ends.firstAfter(f.Queued.At, Transcript, Hook)
	return e, ok && !f.Queued.Never() && len(f.Marks) == 0 && !f.Dropped.At.After(f.Queued.At)
}

// followed is the end of a turn behind which a prompt was in line, as the last witness
// told it, or the moment that prompt was taken.
func (f *Facts) followed() Stamp {
	e, ok := f.lined()
	if !ok {
		return Stamp{}
	}
	last := f.Ends[len(f.Ends)-1] // a hook that tells the first end may be late
	if !f.Ran.At.After(f.Queued.At) {
		if f.active().At.After(e.At) {
			return e.Stamp
		}
		return last.Stamp
	}
	return when(!last.At.After(f.Ran.At.Add(instant)), f.Ran)
}

// relayed is the prompt that was in line, as a hook tells when its turn begins.
func (f *Facts) relayed() Stamp {
	e, ok := f.lined()
	if !ok || f.Prompted.By != Hook || !f.Prompted.At.After(e.At) {
		return Stamp{}
	}
	last := f.Ends[len(f.Ends)-1]
	soon := f.Prompted.At.Sub(latest(Stamp{f.Ends.lastBefore(f.Prompted.At), Hook}, f.Ran).At) <= lag
	return when(soon && !last.At.After(f.Prompted.At), f.Prompted)
}

// checks is the end of a turn after which a hook of the user's is at work. A turn that
// went wrong has none, and an interrupt ends it.
func (f *Facts) checks() Stamp {
	e, over := f.ended()
	if !over || !f.Checks || len(f.Marks) > 0 || f.Recorded.Never() || !f.Checked.At.Before(e.At) {
		return Stamp{}
	}
	return when(well(e.Trouble) && well(f.Ends[len(f.Ends)-1].Trouble), e.Stamp)
}

// settled is e, or the moment its hooks were done.
func (f *Facts) settled(e end) Stamp {
	if f.Checks && len(f.Marks) == 0 && f.Checked.At.After(e.At) {
		return f.Checked
	}
	return e.Stamp
}
