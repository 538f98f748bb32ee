package engine

import (
	"cmp"
	"slices"
)

// dialog is one prompt or question the CLI reported. Several may be open at once.
type dialog struct {
	Key, Name, Agent, Text string
	Question, Late, Brief  bool
	Asked, Answered        Stamp
}

// about is what tells which call a dialog is about: its agent, tool and input.
type about struct{ Agent, Key string }

// dialogsKept bounds the dialogs that are remembered.
const dialogsKept = 16

func (e Asked) record(f *Facts, s Stamp) {
	d := at(&f.Dialogs, e.Agent+"\x00"+e.Key)
	if d.Asked.meet(s) {
		d.Key, d.Name, d.Agent, d.Question, d.Late, d.Brief = e.Key, e.Name, e.Agent, e.Question, e.Late, e.Brief
	}
	d.Text = cmp.Or(e.Text, d.Text)
	f.moved(e.Agent, s, false)
	if len(f.Dialogs) > dialogsKept {
		delete(f.Dialogs, oldest(f.Dialogs))
	}
}

func (e Answered) record(f *Facts, s Stamp) {
	at(&f.Dialogs, e.Agent+"\x00"+e.Key).Answered.meet(s)
}

// oldest is the dialog that was asked first.
func oldest(m map[string]*dialog) (first string) {
	for key, d := range m {
		if o := m[first]; o == nil || d.Asked.At.Before(o.Asked.At) || d.Asked.At.Equal(o.Asked.At) && key < first {
			first = key
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

// unconfirmed are permission requests that a program may still answer: only the
// listing knows whether you are asked.
func (f *Facts) unconfirmed() []keyed {
	return f.first(func(d *dialog) bool { return !d.Question && f.Trusts.Program })
}

func (f *Facts) inquiries() []keyed {
	return f.first(func(d *dialog) bool { return d.Question })
}

// reminders count only while a call is open and no better witness speaks.
func (f *Facts) reminders() []keyed {
	told := f.dialogs(func(d *dialog) bool { return !d.Late })
	if len(f.Marks) > 0 || len(f.open()) == 0 || len(told) > 0 {
		return nil
	}
	return f.dialogs(func(d *dialog) bool { return d.Late })
}

// asks reports whether d is open. It ends with the result of its call, with a prompt
// or an end of the same agent, or with a listing that goes from a dialog to work or
// rest after it; never with what another agent does, and only with its result while
// the listing says that a dialog is open (SPEC section 3, "Dialogs are keyed").
func (f *Facts) asks(d *dialog) bool {
	if d.Asked.Never() || latest(f.Started, f.Closed).At.After(d.Asked.At) || f.settled(d) || f.Marks.leftDialog(d.Asked.At) {
		return false
	}
	if d.Brief && f.stirred(d.Agent).At.After(d.Asked.At) {
		return false
	}
	if !f.level(ListedAsking, ListedQuestion, ListedWaiting).Never() {
		return true
	}
	if d.Agent != "" {
		r := f.Agents[d.Agent]
		return r == nil || !r.Done.At.After(d.Asked.At)
	}
	if f.Prompted.At.After(d.Asked.At) {
		return false
	}
	_, over := f.Ends.firstAfter(d.Asked.At, Hook, Transcript)
	return !over
}

// stirred is the last call of an agent, or the last result of one.
func (f *Facts) stirred(agent string) Stamp {
	if r := f.Agents[agent]; agent != "" && r != nil {
		return r.Moved
	}
	return latest(f.Acted, f.Result)
}

// settled reports whether the dialog, or the call it is about, has its answer.
func (f *Facts) settled(d *dialog) bool {
	if !d.Answered.Never() && !d.Answered.At.Before(d.Asked.At) {
		return true
	}
	result := f.Results[about{d.Agent, d.Key}]
	return !result.Never() && !result.At.Before(d.Asked.At)
}

// resulted notes when a call of this tool and input last had its result: a dialog names
// no more than these.
func (f *Facts) resulted(c *Call) {
	if c.Key == "" || c.Closed.Never() {
		return
	}
	if f.Results == nil || len(f.Results) > callsKept {
		f.Results = map[about]Stamp{}
	}
	a := about{c.Agent, c.Key}
	f.Results[a] = latest(f.Results[a], c.Closed)
}
