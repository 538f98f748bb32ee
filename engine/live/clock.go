package live

import (
	"slices"
	"time"

	"deskbell/engine"
)

// clock is the time the engine is given: the wall clock, which leaps over a
// suspend, but never goes back. It tells such leaps. Where somebody sets the wall clock back, it goes
// on ahead of it: deadlines are still met, and what happens later is still later.
type clock struct {
	start  time.Time     // with its monotonic reading
	offset time.Duration // the most the wall clock has been ahead of the monotonic one since start
	leapt  time.Duration // by how much that has grown since the last leap was taken
}

const (
	// nap is the shortest leap that counts.
	nap = time.Second
	// overslept is how late a deadline must be met for it to have been a night. A loaded
	// machine is late by half a minute (C41).
	overslept = time.Minute
)

// jitter is what two clocks may differ by that were read one after the other.
const jitter = 50 * time.Millisecond

// read returns the engine's time and by how much it is ahead of the wall clock.
func (c *clock) read() (now time.Time, ahead time.Duration) {
	t := time.Now()
	if c.start.IsZero() {
		c.start = t
	}
	return c.at(t.Round(0), t.Sub(c.start))
}

// at is read at a wall time, when ran has passed since start by the monotonic clock.
func (c *clock) at(wall time.Time, ran time.Duration) (now time.Time, ahead time.Duration) {
	offset := wall.Sub(c.start.Round(0)) - ran
	c.leapt += max(0, offset-c.offset)
	c.offset = max(c.offset, offset)
	if ahead = c.offset - offset; ahead < jitter {
		return wall, 0
	}
	return wall.Add(ahead), ahead
}

// night is when a night began that ends now, after a last pass; zero: there was none. It is a leap of the
// wall clock: the machine was suspended, or the clock was set forward. Where both clocks
// went on, deskbell was stopped if due is long past; the agents were not if something in
// batch happened meanwhile, then time has passed for them and none is taken out.
func (c *clock) night(now, last, due time.Time, batch []engine.Event) (since time.Time) {
	leap := c.leapt
	c.leapt = 0
	switch {
	case leap >= nap:
		return now.Add(-leap)
	case last.IsZero() || due.IsZero() || now.Sub(due) < overslept:
		return time.Time{}
	}
	if slices.ContainsFunc(batch, func(e engine.Event) bool { return e.At.After(last) && now.Sub(e.At) > nap }) {
		return time.Time{}
	}
	return last
}
