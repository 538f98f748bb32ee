// Package live runs one engine in real time and shows its state to whoever asks:
// one goroutine owns the engine, one timer wakes it, and what it decides leaves
// as values. Nothing here decides anything about a session.
package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"deskbell/engine"
)

// Engine is what a [Loop] runs. *engine.Engine is one.
type Engine interface {
	Apply(now time.Time, events ...engine.Event) engine.Step
	Snapshot(all bool) engine.Snapshot
}

// Tick is a consumer with a sense of time, such as the planner of notices. It is
// called after every pass, on the goroutine that owns the engine, and returns when
// it wants to be called again at the latest; zero: only when something happens. s
// is the state, ended sessions too, as it was when something last changed.
type Tick func(now time.Time, step engine.Step, s engine.Snapshot) (next time.Time)

// ErrStopped is returned to those who ask a loop that has ended.
var ErrStopped = errors.New("deskbell is shutting down")

// Loop feeds events to an engine and hands on what comes of them. Make one with
// [NewLoop], set its fields, then Run it.
type Loop struct {
	// Ask takes the engine's questions to the sources. It must neither block nor
	// call Emit or Do itself: it runs on the goroutine that owns the engine.
	Ask func(engine.Question)
	// First is what the engine is told before anything else: by an earlier run.
	First []engine.Event
	// Heard is handed the events of each pass before the engine is, but not First.
	Heard func(now time.Time, events []engine.Event)
	// Ticks share the loop's timer with the engine.
	Ticks []Tick
	// Feed has every change of the state.
	Feed *Feed

	engine Engine
	in     chan job
	done   chan struct{} // closed when Run has returned
	snap   engine.Snapshot
	begun  bool // snap has been taken
	clock  clock
	stuck  time.Duration // the last wait for a deadline that had already passed
	taps   []*Tap        // who records what the engine is told
	last   time.Time     // of the last pass
	due    time.Time     // when the engine or a tick wanted the next one; zero: no need
}

// A job is a batch of events, or a function to run between two passes.
type job struct {
	events []engine.Event
	do     func()
}

const (
	queued      = 256  // jobs that may wait; then those who bring more wait too
	mostAtATime = 4096 // events in one pass
)

// NewLoop returns a loop that will own e. The numbers of its feed go on from the
// clock, so that those of an earlier run are never taken for its own.
func NewLoop(e Engine) *Loop {
	return &Loop{
		engine: e,
		Feed:   NewFeed(uint64(time.Now().UnixMicro())),
		in:     make(chan job, queued),
		done:   make(chan struct{}),
	}
}

// Emit hands events to the engine, in order. It waits while too many are queued,
// and returns at once when the loop has ended. Without events it causes a pass.
func (l *Loop) Emit(events ...engine.Event) {
	select {
	case l.in <- job{events: slices.Clone(events)}:
	case <-l.done:
	}
}

// Do runs f on the goroutine that owns the engine, after everything emitted
// before, and returns when it has run.
func (l *Loop) Do(ctx context.Context, f func()) error {
	ran := make(chan struct{})
	select {
	case l.in <- job{do: func() { defer close(ran); f() }}:
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-l.done:
		return ErrStopped
	}
	select {
	case <-ran:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-l.done:
		return ErrStopped
	}
}

// Look returns the state as it is now, with ended sessions. Readers of the feed that
// begin later are given it too: it has what is no change, such as the last write.
func (l *Loop) Look(ctx context.Context) (s engine.Snapshot, err error) {
	err = l.Do(ctx, func() { s = l.Feed.freshen(l.engine.Snapshot(true)) })
	return s, err
}

// Run owns the engine until ctx is done. It can be called once.
func (l *Loop) Run(ctx context.Context) error {
	defer close(l.done)
	timer := time.NewTimer(steady)
	defer timer.Stop()
	l.pass(timer, l.First)
	l.First = nil
	var batch []engine.Event
	for {
		var do func()
		pass := true
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-timer.C:
		case j := <-l.in:
			batch, do = l.gather(batch[:0], j)
			pass = do == nil || len(batch) > 0
		}
		if pass && do == nil && l.late() {
			batch, do = l.catchUp(ctx, batch)
		}
		if pass {
			l.pass(timer, batch)
			clear(batch)
			batch = batch[:0]
		}
		if do != nil {
			do()
		}
	}
}

// gather takes what else has already arrived, so that a burst costs one pass. It
// stops at a function: that one wants to see what came before it, and no more.
func (l *Loop) gather(batch []engine.Event, j job) ([]engine.Event, func()) {
	for {
		if j.do != nil {
			return batch, j.do
		}
		batch = append(batch, j.events...)
		if len(batch) >= mostAtATime {
			return batch, nil
		}
		select {
		case j = <-l.in:
		default:
			return batch, nil
		}
	}
}

const (
	tardy = time.Second            // a deadline met that late is met after a stall
	grace = 300 * time.Millisecond // in which sources tell what they missed during one
)

// late reports whether the deadline that woke the loop has long passed.
func (l *Loop) late() bool {
	now, _ := l.clock.read()
	return !l.due.IsZero() && now.Sub(l.due) >= tardy
}

// catchUp takes what the sources have to tell after a stall, before silence is judged: it
// was deskbell that did not hear.
func (l *Loop) catchUp(ctx context.Context, batch []engine.Event) ([]engine.Event, func()) {
	over := time.NewTimer(grace)
	defer over.Stop()
	for len(batch) < mostAtATime {
		select {
		case <-over.C:
			return batch, nil
		case <-ctx.Done():
			return batch, nil
		case j := <-l.in:
			var do func()
			if batch, do = l.gather(batch, j); do != nil {
				return batch, do
			}
		}
	}
	return batch, nil
}

func (l *Loop) pass(timer *time.Timer, batch []engine.Event) {
	now, ahead := l.clock.read()
	if ahead > 0 {
		for i := range batch {
			if at := &batch[i].At; !at.IsZero() {
				*at = at.Add(ahead)
			}
		}
	}
	if since := l.clock.night(now, l.last, l.due, batch); !since.IsZero() {
		batch = slices.Insert(batch, 0, engine.Event{At: now, Fact: engine.Slept{Since: since}})
	}
	if len(l.taps) > 0 {
		l.record(now, batch)
	}
	if l.Heard != nil && l.begun {
		l.Heard(now, batch)
	}
	step := l.engine.Apply(now, batch...)
	if len(step.Changes) > 0 || len(step.Gone) > 0 || step.Hushed || !l.begun {
		l.begun = true
		l.snap = l.Feed.Publish(now, step, l.engine.Snapshot(true))
	}
	if l.Ask != nil {
		for _, q := range step.Questions {
			l.Ask(q)
		}
	}
	next := step.Next
	for _, tick := range l.Ticks {
		next = sooner(next, tick(now, step, l.snap))
	}
	l.last, l.due = now, next
	l.arm(timer, next)
}

const (
	shortest = time.Millisecond // between two passes by the timer
	steady   = time.Second      // ... where a deadline stays in the past
)

// arm sets the timer anew on every pass, by the monotonic clock, so that neither a
// stepped clock nor a suspend leaves it on a moment that no longer means anything.
// A deadline that stays in the past must not make the loop spin.
func (l *Loop) arm(timer *time.Timer, next time.Time) {
	if next.IsZero() {
		timer.Stop()
		l.stuck = 0
		return
	}
	now, _ := l.clock.read()
	wait := next.Sub(now)
	if wait < shortest {
		l.stuck = min(max(2*l.stuck, shortest), steady)
		wait = l.stuck
	} else {
		l.stuck = 0
	}
	timer.Reset(wait)
}

// sooner returns the earlier of two deadlines, where zero is never.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
