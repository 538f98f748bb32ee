package engine

import (
	"slices"
	"time"
)

// World is the outside world under a virtual clock. It answers the engine's questions a
// little later, as the sources do.
type World interface {
	// Ask takes a question in. One it knows nothing about it never answers.
	Ask(now time.Time, q Question)
	// Next is when it has something to tell; zero: nothing.
	Next() time.Time
	// Due returns what it has to tell by now.
	Due(now time.Time) []Event
	// Looks reports whether it has anything that a look around could find.
	Looks() bool
}

// Playback runs an engine under a virtual clock. However long nothing is told to it, it
// is woken at each of its deadlines, as it would have been.
type Playback struct {
	World World // nil: nobody answers questions
	// Tick is called after every pass with what that brought about, and returns when it
	// wants to be called again at the latest; zero: only when something happens.
	Tick func(now time.Time, step Step) (next time.Time)
	// Clash is told of a deadline that had passed when it was given out.
	Clash func(now, next time.Time)

	Engine *Engine
	limits Limits
	rounds Rounds
	live   []Session // in no order
	now    time.Time
	next   [3]time.Time // of the engine, the rounds and Tick
}

// NewPlayback returns a Playback of an engine that knows nothing yet.
func NewPlayback(l Limits) *Playback { return &Playback{Engine: New(l), limits: l} }

// Now is the present of the virtual clock.
func (p *Playback) Now() time.Time { return p.now }

// Run lets the clock go to until, and stops wherever something is due before. The clock
// never goes back.
func (p *Playback) Run(until time.Time) {
	for {
		due, world := until, false
		for _, t := range p.next {
			if !t.IsZero() && t.Before(due) {
				due = t
			}
		}
		if p.World != nil {
			if t := p.World.Next(); !t.IsZero() && !t.After(due) && t.Before(until) {
				due, world = t, true
			}
		}
		p.Skip(due)
		switch {
		case !due.Before(until):
			return
		case world:
			p.Tell(p.World.Due(p.now)...)
		default:
			p.Tell()
		}
	}
}

// Skip lets the clock go to until with nobody awake on the way.
func (p *Playback) Skip(until time.Time) {
	if until.After(p.now) {
		p.now = until
	}
}

// Tell hands events to the engine at the present, and takes what they bring about.
func (p *Playback) Tell(events ...Event) {
	step := p.Engine.Apply(p.now, events...)
	if p.World != nil {
		for _, q := range step.Questions {
			p.World.Ask(p.now, q)
		}
		p.follow(&step)
	}
	if p.World != nil && p.World.Looks() {
		looks, next := p.rounds.Apply(p.now, &p.limits, p.live, false)
		for _, q := range looks {
			p.World.Ask(p.now, q)
		}
		p.next[1] = next
	}
	p.next[0] = step.Next
	if p.Tick != nil {
		p.next[2] = p.Tick(p.now, step)
	}
	for i, t := range p.next {
		if !t.IsZero() && !t.After(p.now) { // it would never be past
			if p.Clash != nil {
				p.Clash(p.now, t)
			}
			p.next[i] = time.Time{}
		}
	}
}

// follow keeps track of the live sessions.
func (p *Playback) follow(step *Step) {
	for i := range step.Changes {
		s := &step.Changes[i].Session
		p.leave(s.ID)
		if s.Status.Live() {
			p.live = append(p.live, *s)
		}
	}
	for _, id := range step.Gone {
		p.leave(id)
	}
}

func (p *Playback) leave(id ID) {
	p.live = slices.DeleteFunc(p.live, func(s Session) bool { return s.ID == id })
}
