package tray

import "time"

const (
	// calm lies between two redraws while changes keep coming.
	calm = 2 * time.Second
	// large is a redraw by more changes than this, and the menu then rests for longer:
	// hosts read all of it anew for each row that changes.
	large = 60
	// frozen is how long an opened menu is left alone: some hosts close it at
	// any change.
	frozen = 15 * time.Second
	// grace is how soon after a redraw a click was still meant for what was
	// there before.
	grace = 250 * time.Millisecond
	// settled is how long after the start an icon set meanwhile may be lost:
	// the library announces its first one while it connects.
	settled = time.Second
)

// pace tells when the screen may be redrawn.
type pace struct {
	calm   time.Duration
	drawn  time.Time // when it last was
	opened time.Time // when the menu was last seen to open
	rests  time.Time // until then the menu had enough
}

// draw notes a redraw by these changes. New rows do not count: they come all at once,
// at the start.
func (p *pace) draw(now time.Time, ops []Op) {
	p.drawn = now
	n := 0
	for _, op := range ops {
		if op.Menu() && op.Do != Add && op.Do != AddRule {
			n++
		}
	}
	if n > large {
		p.rests = now.Add(p.calm * 5 / 2)
	}
}

// open notes that the menu was opened. Openings while it is frozen prolong
// nothing, else a menu looked at often would never be right.
func (p *pace) open(now time.Time) {
	if p.opened.IsZero() || !now.Before(p.opened.Add(frozen)) {
		p.opened = now
	}
}

// icon is when the icon may next be redrawn.
func (p pace) icon() time.Time {
	if p.drawn.IsZero() {
		return p.drawn
	}
	return p.drawn.Add(p.calm)
}

// menu is when the menu may next be redrawn.
func (p pace) menu() time.Time {
	next := p.icon()
	for _, t := range []time.Time{p.thaw(), p.rests} {
		if t.After(next) {
			next = t
		}
	}
	return next
}

// thaw is when an opened menu may be changed.
func (p pace) thaw() time.Time {
	if p.opened.IsZero() {
		return p.opened
	}
	return p.opened.Add(frozen)
}
