package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"deskbell/engine"
)

// behind is how many lines may wait for the reader of a [Tap].
const behind = 1 << 16

// errBehind ends a record whose reader is too slow: one with a gap would replay to what
// never was.
var errBehind = errors.New("it was read too slowly and ends here: record again, to a faster disk")

// Tap hands on what the engine is told, from the moment it was put on. The loop never
// waits for it.
type Tap struct {
	bell chan struct{} // holds one: there is something new
	done <-chan struct{}

	mu     sync.Mutex
	lines  []engine.Line // guarded by mu
	over   bool          // guarded by mu; more came than may wait
	closed bool          // guarded by mu
}

// Tap puts a tap on. Whoever reads it closes it.
func (l *Loop) Tap(ctx context.Context) (*Tap, error) {
	t := &Tap{bell: make(chan struct{}, 1), done: l.done}
	err := l.Do(ctx, func() {
		now, _ := l.clock.read()
		t.put(engine.Line{Event: engine.Event{At: now, By: engine.Clock}})
		l.taps = append(l.taps, t)
	})
	return t, err
}

// Close takes the tap off.
func (t *Tap) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed, t.lines = true, nil
}

// Next waits for something new and returns it.
func (t *Tap) Next(ctx context.Context) ([]engine.Line, error) {
	for {
		t.mu.Lock()
		lines, over := t.lines, t.over
		t.lines = nil
		t.mu.Unlock()
		switch {
		case len(lines) > 0:
			return lines, nil
		case over:
			return nil, errBehind
		}
		select {
		case <-t.bell:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-t.done:
			return nil, ErrStopped
		}
	}
}

// put reports whether anybody still reads.
func (t *Tap) put(lines ...engine.Line) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed || t.over:
		return false
	case len(t.lines)+len(lines) > behind:
		t.over = true
	default:
		t.lines = append(t.lines, lines...)
	}
	select {
	case t.bell <- struct{}{}:
	default:
	}
	return !t.over
}

// record hands the events of a pass to the taps, and that there was one if it had none.
// Of one that comes late, be it by a moment or a night, it says that nobody was awake
// since the one before it: what was due then was not done then.
func (l *Loop) record(now time.Time, batch []engine.Event) {
	var lines []engine.Line
	switch {
	case !l.due.IsZero() && now.After(l.due):
		lines = append(lines, engine.Line{Told: now, Event: engine.Event{At: l.last, By: engine.Clock}})
	case len(batch) == 0:
		lines = append(lines, engine.Line{Event: engine.Event{At: now, By: engine.Clock}})
	}
	for _, ev := range batch {
		lines = append(lines, engine.Line{Told: now, Event: ev})
	}
	reads := l.taps[:0]
	for _, t := range l.taps {
		if t.put(lines...) {
			reads = append(reads, t)
		}
	}
	clear(l.taps[len(reads):])
	l.taps = reads
}
