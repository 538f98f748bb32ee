package engine

import "time"

// Gauge keeps an amount of memory still: it shows another when that differs by a tenth,
// and at most once in a while. The zero Gauge has shown nothing.
type Gauge struct {
	shown int64
	at    time.Time
}

// tenth is how much a difference counts: less than one part of so many is none.
const tenth = 10

// Apply takes an amount, 0 if it is not known, and returns the one to show. One that comes
// too soon is shown when it is next told of: no amount is worth a deadline, at rest the
// least.
func (g *Gauge) Apply(now time.Time, amount int64, often time.Duration) (shown int64) {
	change := max(amount-g.shown, g.shown-amount)
	switch {
	case g.shown == 0 || amount == 0: // known, or known no longer
	case change*tenth < g.shown, now.Before(g.at.Add(often)):
		return g.shown
	}
	if g.shown != amount {
		g.shown, g.at = amount, now
	}
	return amount
}
