package live

import "time"

// clock is the time the engine is given: the wall clock, which leaps over a
// suspend, but never goes back. Where somebody sets the wall clock back, it goes
// on ahead of it: deadlines are still met, and what happens later is still later.
type clock struct {
	start  time.Time     // with its monotonic reading
	offset time.Duration // the most the wall clock has been ahead of the monotonic one since start
}

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
	c.offset = max(c.offset, offset)
	if ahead = c.offset - offset; ahead < jitter {
		return wall, 0
	}
	return wall.Add(ahead), ahead
}
