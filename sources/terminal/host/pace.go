package host

import "time"

// How often a relay tells of what goes on and on.
const (
	silence     = time.Second            // after it the next thing is told at once
	often       = 2 * time.Second        // between two of what follows
	betweenTwo  = 250 * time.Millisecond // titles
	firstRetry  = 250 * time.Millisecond // to reach deskbell
	lastRetry   = 30 * time.Second
	soonest     = time.Second // a retry because something happened
	writing     = time.Second // for deskbell to take what it is told
	beforeEnter = 50 * time.Millisecond
)

// pulse tells which of many things of a kind are worth telling: the first one, and at
// rest nothing.
type pulse struct{ last, told time.Time }

func (p *pulse) beats(now time.Time) bool {
	fresh := now.Sub(p.last) >= silence
	p.last = now
	if !fresh && now.Sub(p.told) < often {
		return false
	}
	p.told = now
	return true
}
