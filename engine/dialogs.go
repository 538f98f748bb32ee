package engine

import (
	"cmp"
	"slices"
	"time"
)

// dialog is one prompt or question the CLI reported. Several may be open at once.
type dialog struct {
	Key, Name, Agent, Text string
	Question, Late, Brief  bool
	Asked, Answered        Stamp
}

// dialogsKept bounds the dialogs that are remembered.
const dialogsKept = 16

func (e Asked) record(f *Facts, s Stamp) {
	d := f.about(e.Agent, e.Key)
	if d.Asked.meet(s) {
		d.Key, d.Name, d.Agent, d.Question, d.Late, d.Brief = e.Key, e.Name, e.Agent, e.Question, e.Late, e.Brief
	}
	d.Text = cmp.Or(e.Text, d.Text)
	f.moved(e.Agent, s, false)
	for _, c := range f.Calls { // the result may be told first
		if c.Agent == e.Agent && c.Key == e.Key {
			f.resulted(c)
		}
	}
}

func (e Answered) record(f *Facts, s Stamp) { f.about(e.Agent, e.Key).Answered.meet(s) }

// resulted answers the dialog about c if c has its result: a dialog names no more than
// agent, tool and input.
func (f *Facts) resulted(c *Call) {
	if d := f.Dialogs[dialogID(c.Agent, c.Key)]; d != nil && c.Key != "" {
		d.Answered.meet(c.Closed)
	}
}

func dialogID(agent, key string) string { return agent + "\x00" + key }

// about is the dialog of an agent about a tool and input.
func (f *Facts) about(agent, key string) *dialog {
	id := dialogID(agent, key)
	d := at(&f.Dialogs, id)
	if len(f.Dialogs) > dialogsKept {
		delete(f.Dialogs, f.stale(id))
	}
	return d
}

// stale is the dialog to forget, not the one called but: the one that was asked first,
// of those that are over if there are any.
func (f *Facts) stale(but string) (first string) {
	open := map[string]bool{}
	for id, d := range f.Dialogs {
		open[id] = f.asks(d)
	}
	for id, d := range f.Dialogs {
		o := f.Dialogs[first]
		if id != but && (o == nil || open[first] && !open[id] ||
			open[first] == open[id] && cmp.Or(d.Asked.At.Compare(o.Asked.At), cmp.Compare(id, first)) < 0) {
			first = id
		}
	}
	return first
}

// dialogs lists the open ones for which is holds, the oldest first.
func (f *Facts) dialogs(is func(*dialog) bool) (out []keyed) {
	for key, d := range f.Dialogs {
		if is(d) && f.asks(d) {
			out = append(out, keyed{Key: key, Stamp: d.Asked})
		}
	}
	slices.SortFunc(out, func(a, b keyed) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Key, b.Key)) })
	return out
}

// first is the dialog that was asked first of those that are open, if is holds for it:
// the card shows that one.
func (f *Facts) first(is func(*dialog) bool) []keyed {
	open := f.dialogs(func(d *dialog) bool { return !d.Late })
	if len(open) == 0 || !is(f.Dialogs[open[0].Key]) {
		return nil
	}
	return open[:1]
}

func (f *Facts) permissions() []keyed {
	return f.first(func(d *dialog) bool { return !d.Question && !f.Trusts.Program })
}

// sought is permissions where no listing tells their end and their call would show by its
// processes: since when nobody has looked for those.
func (f *Facts) sought() (out []keyed) {
	if len(f.Marks) > 0 {
		return nil
	}
	for _, k := range f.permissions() {
		for _, id := range f.open() {
			if c := f.Open[id]; c.Borne && dialogID(c.Agent, c.Key) == k.Key {
				out = append(out, keyed{Key: id, Stamp: latest(k.Stamp, c.Counted)})
			}
		}
	}
	return out[:min(len(out), 1)]
}

// unconfirmed are permission requests that a program may still answer: only the
// listing knows whether you are asked.
func (f *Facts) unconfirmed() []keyed {
	return f.first(func(d *dialog) bool { return !d.Question && f.Trusts.Program })
}

func (f *Facts) inquiries() []keyed {
	return f.first(func(d *dialog) bool { return d.Question })
}

// reminders count only while a call is open that was when they came, and no better
// witness speaks. A listing that never told of a dialog is none: older ones say busy. Nor
// is a request that a program may answer: the reminder tells that none did.
func (f *Facts) reminders() []keyed {
	told := f.dialogs(func(d *dialog) bool { return !d.Late && (d.Question || !f.Trusts.Program) })
	if f.Marks.dialogs() || len(told) > 0 {
		return nil
	}
	first := f.firstOpen()
	return f.dialogs(func(d *dialog) bool { return d.Late && !first.Never() && !first.At.After(d.Asked.At) })
}

// firstOpen is the beginning of the call that has been open for longest.
func (f *Facts) firstOpen() (s Stamp) {
	for _, id := range f.open() {
		s.first(f.Open[id].Opened)
	}
	return s
}

// asks reports whether d is open. It ends with the result of its call, with a prompt
// or an end of the same agent, or with a listing that goes from a dialog to work or
// rest after it, or a title that changes to work after it; never with what another agent
// does, and only with its result since
// the listing says that a dialog is open (SPEC section 3, "Dialogs are keyed").
func (f *Facts) asks(d *dialog) bool {
	if d.Asked.Never() || latest(f.Started, f.Closed).At.After(d.Asked.At) || f.settledBy(d) || f.Marks.leftDialog(d.Asked.At) || f.Titles.turnedBusy().After(d.Asked.At) {
		return false
	}
	if d.Brief && f.stirred(d.Agent).At.After(d.Asked.At) {
		return false
	}
	listed := f.level(ListedAsking, ListedQuestion, ListedWaiting)
	if d.Agent != "" {
		r := f.Agents[d.Agent]
		return !listed.Never() || r == nil || !r.Done.At.After(d.Asked.At)
	}
	holds := func(t time.Time) bool { return !listed.Never() && !t.Before(listed.At) }
	if t := f.Prompted.At; t.After(d.Asked.At) && !holds(t) {
		return false
	}
	end, over := f.Ends.firstAfter(d.Asked.At, Hook, Transcript)
	return !over || holds(end.At)
}

// stirred is the last call of an agent, or the last result of one.
func (f *Facts) stirred(agent string) Stamp {
	if r := f.Agents[agent]; agent != "" && r != nil {
		return r.Moved
	}
	return latest(f.Acted, f.Result)
}

// settledBy reports whether d, or the call it is about, has its answer, whoever names it.
func (f *Facts) settledBy(d *dialog) bool {
	r := f.Results[dialogID(d.Agent, d.Key)]
	return d.settled() || r != nil && !r.At.Before(d.Asked.At)
}

// settled reports whether the dialog, or the call it is about, has its answer.
func (d *dialog) settled() bool { return !d.Answered.Never() && !d.Answered.At.Before(d.Asked.At) }
