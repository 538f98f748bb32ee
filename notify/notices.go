package notify

import (
	"context"
	"slices"
	"time"

	"deskbell/engine"
)

// Hour is how long the button of a notice mutes.
const Hour = "1h"

// Notices is a [Planner] and a [Sender] at work: what the one decides the other does, and
// what either wants to know goes to whoever knows it. Its fields are set before Run. But
// for Run and Events it belongs to the goroutine that calls Tick.
type Notices struct {
	// Prefs is what you asked for, beside what the sessions themselves tell of it.
	Prefs Prefs
	// Look reports whether you look at the terminal of a session now. It may take its time.
	Look func(ctx context.Context, id engine.ID) (yes, known bool)
	// Seen is told whose event you were looking at.
	Seen func(id engine.ID)
	// Note is told what became of notices.
	Note func(...engine.Moment)
	// Aside has something done beside the goroutine of Tick, which does not wait for it.
	Aside func(do func(ctx context.Context))
	// Do runs f on the goroutine of Tick, and calls that then.
	Do func(ctx context.Context, f func(now time.Time))

	planner Planner
	sender  *Sender
}

// NewNotices returns those that s shows.
func NewNotices(s *Sender) *Notices { return &Notices{sender: s} }

// Run shows notices until ctx is done; then it clears the screen.
func (n *Notices) Run(ctx context.Context) { n.sender.Run(ctx) }

// Events tells of clicks on notices and of notices that were closed, for [Notices.Answer].
func (n *Notices) Events() <-chan Event { return n.sender.Events() }

// Tick hands the planner what changed, and the desktop what the planner decided.
func (n *Notices) Tick(now time.Time, step engine.Step, s engine.Snapshot) (next time.Time) {
	n.planner.Gone(step.Gone...)
	raise, withdraw, next := n.planner.Apply(now, step.Changes, n.Prefs.hushed(&s))
	if len(raise)+len(withdraw) > 0 {
		n.sender.Show(raise, withdraw)
	}
	for _, one := range n.planner.News(now) {
		n.Note(one.Session.Notified(now, one.State, one.Kind, one.Why))
	}
	for _, id := range n.planner.Look() {
		n.Aside(func(ctx context.Context) { n.glance(ctx, id) })
	}
	for _, id := range n.planner.Seen() {
		n.Aside(func(context.Context) { n.Seen(id) })
	}
	return next
}

// hushed are p and what is muted of all sessions, for a planner whose questions are
// answered.
func (p Prefs) hushed(s *engine.Snapshot) Prefs {
	p.CanLook = true
	p.Muted, p.MutedUntil = s.AllMuted()
	p.Folders = nil
	for _, h := range s.Muted {
		if h.Dir != "" {
			p.Folders = append(p.Folders, FolderMute(h))
		}
	}
	return p
}

// glance tells the planner whether you look at a session, if that is to be known: what
// waits for it is decided then.
func (n *Notices) glance(ctx context.Context, id engine.ID) {
	if yes, known := n.Look(ctx, id); known {
		n.Do(ctx, func(now time.Time) { n.planner.Looked(id, yes, now) })
	}
}

// Known takes in that you turned to a session.
func (n *Notices) Known(now time.Time, id engine.ID) { n.planner.Known(now, id) }

// State says what became of the notice of a session, see [Planner.State].
func (n *Notices) State(id engine.ID) (state, why string, at time.Time) { return n.planner.State(id) }

// Answer takes in what happened to a notice. It returns the session to go to, the most
// urgent of several, and those to be muted for an [Hour]. sessions is those there are,
// in their order.
func (n *Notices) Answer(now time.Time, e Event, sessions []engine.Session) (open engine.ID, mute []engine.ID) {
	about := n.planner.About(e.ID)
	n.planner.Closed(now, e.ID, e.Action)
	switch {
	case len(about) == 0:
	case e.Action == Mute:
		mute = about
	case e.Action == Open:
		open = about[0]
		if s, ok := engine.Next(among(sessions, about)); ok {
			open = s.ID
		}
	}
	return open, mute
}

// among are the sessions of those ids.
func among(sessions []engine.Session, ids []engine.ID) []engine.Session {
	return slices.DeleteFunc(slices.Clone(sessions), func(s engine.Session) bool { return !slices.Contains(ids, s.ID) })
}
