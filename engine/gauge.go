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

// Apply takes an amount, 0 if it is not known, and returns the one to show, and when that
// is to be asked again; zero: when there is another amount.
func (g *Gauge) Apply(now time.Time, amount int64, often time.Duration) (shown int64, next time.Time) {
	change := max(amount-g.shown, g.shown-amount)
	switch due := g.at.Add(often); {
	case g.shown == 0 || amount == 0: // known, or known no longer
	case change*tenth < g.shown:
		return g.shown, time.Time{}
	case now.Before(due):
		return g.shown, due
	}
	if g.shown != amount {
		g.shown, g.at = amount, now
	}
	return amount, time.Time{}
}
