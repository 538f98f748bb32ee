package engine

import "time"

// Below are the readings for calls that a hook told of: their timers are guesses
// (SPEC section 3, "Approval by timer").

// timed reports whether the silence of c may mean a dialog: its tool has a timer, and
// its mode asks. Questions ask in every mode.
func (f *Facts) timed(c *Call) bool {
	switch {
	case c.Quiet == Always:
		return false
	case c.Quiet == Answer:
		return true
	}
	return !f.Trusts.Calls && !(f.Trusts.Edits && c.Edit)
}

// hooked lists the open calls that a hook told of and for which is holds. Each is
// patient for as long as limit says.
func (f *Facts) hooked(is func(*Call) bool) (out []keyed) {
	for _, id := range f.open() {
		if c := f.Open[id]; c.Opened.By == Hook && is(c) {
			out = append(out, keyed{Key: id, Stamp: c.Opened})
		}
	}
	return out
}

// running are the calls whose silence means nothing yet.
func (f *Facts) running() (out []keyed) {
	for _, k := range f.hooked(func(*Call) bool { return true }) {
		k.For = Lost
		if c := f.Open[k.Key]; f.timed(c) {
			k.For = c.Quiet
		}
		out = append(out, k)
	}
	return out
}

// overdue are the calls whose tools take no time, and which have been silent.
func (f *Facts) overdue() []keyed {
	out := f.hooked(func(c *Call) bool { return f.timed(c) && c.Quiet != Slow && c.Quiet != Answer })
	for i := range out {
		out[i].After = f.Open[out[i].Key].Quiet
	}
	return out
}

// unanswering are questions by nature, which have been silent.
func (f *Facts) unanswering() []keyed {
	return f.hooked(func(c *Call) bool { return c.Quiet == Answer })
}

// slow are the calls that may run for minutes.
func (f *Facts) slow() []keyed {
	return f.hooked(func(c *Call) bool { return f.timed(c) && c.Quiet == Slow })
}

// recounted are calls that were found to run when last looked at.
func (f *Facts) recounted() (out []keyed) {
	for _, k := range f.slow() {
		if c := f.Open[k.Key]; c.Childful && c.Counted.At.After(c.Opened.At) {
			out = append(out, keyed{Key: k.Key, Stamp: c.Counted})
		}
	}
	return append(out, f.childful()...)
}

// mute are the open calls that are told alike whether they run or wait for you.
func (f *Facts) mute(is func(*Call) bool) (out []keyed) {
	for _, id := range f.open() {
		if c := f.Open[id]; c.Mute && c.Opened.By != Hook && c.Quiet != Answer && is(c) {
			out = append(out, keyed{Key: id, Stamp: c.Opened})
		}
	}
	return out
}

// uncounted are mute calls whose processes nobody has looked for.
func (f *Facts) uncounted() []keyed {
	return f.mute(func(c *Call) bool { return !c.Counted.At.After(c.Opened.At) })
}

// childful are mute calls that were found to run when last looked at: what waits for you
// has no process yet.
func (f *Facts) childful() []keyed {
	out := f.mute(func(c *Call) bool { return c.Childful && c.Counted.At.After(c.Opened.At) })
	for i := range out {
		out[i].Stamp = f.Open[out[i].Key].Counted
	}
	return out
}

// childless are slow calls that were found to have no process of their own.
func (f *Facts) childless() (out []keyed) {
	for _, k := range f.slow() {
		if c := f.Open[k.Key]; !c.Childful && c.Counted.At.After(c.Opened.At) {
			out = append(out, keyed{Key: k.Key, Stamp: c.Counted})
		}
	}
	return out
}

func (e Children) record(f *Facts, s Stamp) {
	c := f.Open[e.Call]
	if c == nil || !c.Counted.meet(s) {
		return
	}
	c.Childful = e.Yes
	if d := f.Dialogs[dialogID(c.Agent, c.Key)]; d != nil && e.Own && e.Yes { // it runs, so it was allowed to
		d.Answered.meet(s)
	}
}

// lost is a prompt of which nothing has come: no hook, no output.
func (f *Facts) lost() Stamp {
	p := f.prompting()
	return when(!p.Never(), latest(p, f.Hooked, f.Drew))
}

// prompting is a prompt of a human that found no turn under way, and of which
// nothing has come yet.
func (f *Facts) prompting() Stamp {
	if f.Prompted.By != Hook || latest(f.Acted, f.Replied).At.After(f.Prompted.At) {
		return Stamp{}
	}
	if _, over := f.Ends.firstAfter(f.Prompted.At, Hook, Transcript); over {
		return Stamp{}
	}
	return when(!f.underWay(f.Prompted.At), f.Prompted.unless(f.Started))
}

// underWay reports whether a turn had begun before t and not ended.
func (f *Facts) underWay(t time.Time) bool {
	before := latest(f.Acted, f.Replied)
	if before.Never() || f.Started.At.After(before.At) {
		return false
	}
	e, over := f.Ends.firstAfter(before.At, Hook, Transcript)
	return !over || e.At.After(t)
}

// compacting is a summary being made. Where it is broken off only the listing tells.
func (f *Facts) compacting() Stamp {
	return f.Compacting.until(f.Compacted, Stamp{f.Marks.turns().Rests, f.MarkedBy.By})
}

// closed is the moment the CLI said that the session is over.
func (f *Facts) closed() Stamp { return f.Closed.unless(f.Started, f.Prompted) }
