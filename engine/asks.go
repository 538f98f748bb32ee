package engine

import (
	"strings"
	"time"
)

// question is what an open dialog is about.
type question struct {
	id, text, by string
	open         int // dialogs open at once, as far as can be told
}

// asked is the oldest dialog that is open. A listing tells that a dialog is open
// and not which call it is about: it is one of those that were begun together with
// the last call before the listing said so, and when that is answered the next.
// An agent asks one thing at a time.
func (f *Facts) asked() (d question) {
	open := f.dialogs(func(d *dialog) bool { return !d.Late })
	if len(open) == 0 {
		open = f.reminders()
	}
	if len(open) > 0 {
		o := f.Dialogs[open[0].Key]
		return question{id: open[0].Key, text: line(o.Name, o.Text, o.Question), by: f.agent(o.Agent), open: len(open)}
	}
	level, at, _ := f.Marks.now()
	from := f.batch(at)
	agents := map[string]bool{}
	for _, id := range f.open() {
		c := f.Calls[id]
		if c.Opened.At.Before(from) || level == ListedQuestion && c.Quiet != Answer {
			continue
		}
		if d.id == "" {
			d.id, d.text, d.by = id, line(c.Name, c.Text, c.Quiet == Answer), f.agent(c.Agent)
		}
		agents[c.Agent] = true
	}
	d.open = max(len(agents), 1)
	return d
}

// batch is when the calls were begun of which one asked at t: the calls of the
// same agent that ran together with the last call before t.
func (f *Facts) batch(t time.Time) time.Time {
	var last *Call
	for _, c := range f.Calls {
		if !c.Opened.Never() && !c.Opened.At.After(t) && (last == nil || c.Opened.At.After(last.Opened.At)) {
			last = c
		}
	}
	if last == nil {
		return time.Time{}
	}
	from := last.Opened.At
	for _, c := range f.Calls {
		together := c.Closed.Never() || !c.Closed.At.Before(last.Opened.At)
		if c.Agent == last.Agent && together && c.Opened.At.Before(from) && !c.Opened.Never() && !c.Opened.At.Before(f.active().At.Add(-lag)) {
			from = c.Opened.At
		}
	}
	return from
}

// line is a call in one line: a question speaks for itself.
func line(name, text string, question bool) string {
	switch {
	case text == "":
		return name
	case question:
		return text
	}
	return name + ": " + text
}

func (f *Facts) agent(id string) string {
	if r := f.Agents[id]; r != nil {
		return r.Type
	}
	return ""
}

// Asking is what s asks as it reads behind the name of its project: "Bash npm test".
func (s *Session) Asking() string {
	if s.Status == Input {
		return s.Asks // a question is a sentence
	}
	return strings.Replace(s.Asks, ": ", " ", 1)
}
