package engine

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// look brings the view of s up to date with its facts and verdict v.
func (e *Engine) look(s *entry, v Verdict) {
	f, o := &s.facts, &s.view
	o.Old = v.For[0].Since.Before(s.founded.Add(-lag))
	spoke := e.wallTime(f.Prompted.At)
	again := v.Status == Waiting && spoke.After(o.Since) && v.For[0].Since.After(spoke) // a turn too short to be seen
	if o.Status != v.Status || o.Since.IsZero() || again {
		since := v.For[0].Since
		if o.Status != Unknown && since.Before(o.Since) && !o.Old || since.After(e.now) {
			since = e.now
		}
		o.Since = since.UTC()
	}
	o.Status, o.Loud = v.Status, v.Loud
	o.Reason, o.Against = utc(v.For[0]), nil
	for _, sig := range v.Against {
		o.Against = append(o.Against, utc(sig))
	}
	o.Tool, o.SessionID, o.TTY, o.RunsIn = s.who.Tool, s.who.ID, s.who.TTY, s.who.RunsIn
	o.External, o.Hosted, o.Terminal = true, false, ""
	if t := e.seatOf(s.who); t != nil {
		o.External, o.Hosted, o.Terminal, o.TTY = false, true, t.term, cmp.Or(o.TTY, t.tty)
	}
	if s.who.PID != 0 || s.facts.Tied {
		o.PID = s.who.PID
	}
	o.Dir = s.who.Dir
	o.BeganIn = cmp.Or(o.BeganIn, o.Dir)
	if !s.prefs.MutedAt(e.now) {
		s.prefs.Muted, s.prefs.MutedUntil = false, time.Time{}
	}
	o.Prefs = s.prefs
	e.title(s)
	o.Model, o.Effort, o.PermissionMode = f.Model.Text, f.Effort.Text, f.Mode.Text
	o.LastWrite = e.wallTime(f.Wrote.At)
	o.NeedsYou = v.Status.NeedsYou()
	o.Guess = o.NeedsYou && v.Loud == Guessed
	o.Reports = len(f.Marks) > 0 || !f.Hooked.Never()
	o.Answers = f.Answers
	o.Runs = len(s.runs)
	o.Asleep = v.Status == Asleep
	o.Memory = s.memory()
	o.Resumable = s.who.ID != "" && !f.Recorded.Never()
	o.Spoke, o.Turn = e.wallTime(f.Prompted.At), e.wallTime(f.began().At)
	o.Trouble = e.trouble(f, v)
	o.Unseen = f.unseen(e.lived(s.known)) && (v.Status == Idle || v.Status == Waiting) && o.Trouble != Interrupted
	o.Doing, o.Asks, o.AsksBy, o.AsksOpen, o.Dialog = "", "", "", 0, ""
	switch v.Status {
	case Working:
		o.Doing = f.doing()
	case Approval, Input:
		d := f.asked()
		o.Asks, o.AsksBy, o.AsksOpen, o.Dialog = d.text, d.by, d.open, d.id
	}
	o.Shells = f.shells()
	o.Team = e.teamOf(s)
	o.Agents = e.agents(f)
}

func utc(s Signal) Signal {
	s.Since, s.Until = s.Since.UTC(), s.Until.UTC()
	return s
}

func (e *Engine) wallTime(t time.Time) time.Time {
	e.clock.wall(&t)
	if t.IsZero() {
		return t
	}
	return t.UTC()
}

// trouble is what the end of the turn is called, while it is what is shown.
func (e *Engine) trouble(f *Facts, v Verdict) Trouble {
	switch v.Status {
	case Ended:
		return e.book.rule(v.For[0].Rule).Trouble
	case Waiting, Idle:
	default:
		return ""
	}
	if end, ok := f.ended(); ok && end.Trouble != "" {
		return end.Trouble
	}
	return e.book.rule(v.For[0].Rule).Trouble
}

// began is the beginning of the turn under way, or of the last one.
func (f *Facts) began() Stamp {
	if s := f.Prompted; !s.Never() {
		return s
	}
	return Stamp{At: f.Marks.turns().Began}
}

// unseen reports whether a turn ended after since, and nobody looked at it.
func (f *Facts) unseen(since time.Time) bool {
	end := f.rested()
	if e, ok := f.ended(); ok {
		end = latest(end, e.Stamp)
	}
	return end.At.After(since) && !end.unless(f.Seen, f.Prompted).Never()
}

// doing is the name of the tool that runs, the session's own first.
func (f *Facts) doing() (tool string) {
	for _, id := range f.open() {
		if c := f.Calls[id]; c.Agent == "" {
			return c.Name
		} else if tool == "" {
			tool = c.Name
		}
	}
	return tool
}

// shells is how many background shells run on. The listing may know of some that
// the transcript does not tell.
func (f *Facts) shells() (n int) {
	var told Stamp // the last word of the tasks
	for _, r := range f.Tasks {
		told = latest(told, r.Began, r.Done)
		if r.Done.Never() && !f.Started.At.After(r.Began.At) {
			n++
		}
	}
	if e := f.lastBy(Hook); e.At.After(told.At) && !e.Uncounted {
		n = e.Shells
	}
	switch l, _, _ := f.Marks.now(); l {
	case ListedShell:
		n = max(n, 1)
	case ListedIdle:
		n = 0
	}
	return n
}

// agents lists the sub-agents of the conversation, the newest last. Those that are
// done leave the list when the next turn of a human begins.
func (e *Engine) agents(f *Facts) (out []Agent) {
	for _, id := range slices.Sorted(maps.Keys(f.Agents)) {
		r := f.Agents[id]
		done := !r.Done.Never() && !r.Moved.At.After(r.Done.At)
		if r.Began.Never() || f.Started.At.After(r.Began.At) || done && f.Prompted.At.After(r.Began.At) {
			continue
		}
		a := Agent{ID: id, Type: r.Type, Task: r.Task, Status: "running", Tools: r.Tools, Since: e.wallTime(r.Began.At)}
		if done {
			a.Status = "done"
		}
		out = append(out, a)
	}
	slices.SortStableFunc(out, func(a, b Agent) int { return a.Since.Compare(b.Since) })
	return out
}

// differs reports whether the views of a session tell apart what is worth a
// change. Times that only grow with each record are not, and what its process takes is
// told apart by its [Gauge].
func differs(a, b *Session) bool {
	if (a.Team == nil) != (b.Team == nil) || a.Team != nil && *a.Team != *b.Team {
		return true
	}
	if (a.Label == nil) != (b.Label == nil) || a.Label != nil && *a.Label != *b.Label ||
		(a.Branch == nil) != (b.Branch == nil) || a.Branch != nil && *a.Branch != *b.Branch ||
		!slices.Equal(a.Agents, b.Agents) {
		return true
	}
	x, y := plain(a), plain(b)
	return x != y
}

// plainView is the comparable part of a [Session].
type plainView struct {
	text   [19]string
	status Status
	loud   Loud
	dialog string
	nums   [5]int
	flags  [14]bool
	until  time.Time
	since  time.Time
	spoke  time.Time
}

func plain(s *Session) plainView {
	return plainView{
		text: [19]string{string(s.ID), s.Tool, s.SessionID, s.Title, s.Project, s.Dir, s.BeganIn, s.Doing, s.Asks, s.AsksBy,
			string(s.Trouble), s.RunsIn, s.Terminal, s.TTY, s.Model, s.Effort, s.PermissionMode, s.Room, s.Name},
		status: s.Status, loud: s.Loud, dialog: s.Dialog,
		nums: [5]int{s.AsksOpen, s.PID, s.Queue, s.Shells, s.Runs},
		flags: [14]bool{s.NeedsYou, s.Guess, s.Unseen, s.External, s.Hosted, s.Asleep, s.Pinned, s.Muted, s.Alert, s.Shared,
			s.Resumable, s.Answers, s.HandsOff, s.Central},
		until: s.MutedUntil, since: s.Since, spoke: s.Spoke,
	}
}
