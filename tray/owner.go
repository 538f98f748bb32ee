package tray

import (
	"context"
	"time"
)

// face is a tray the owner can draw on. An error means it is gone for good.
type face interface {
	dress(Icon) error // the icon with everything about it
	draw(Op) error
}

// owner is the one goroutine that touches the screen.
type owner struct {
	face   face
	pool   Pool
	before Pool // what was shown until the last redraw
	pace   pace
	want   func() Menu
	dirty  bool      // want is not shown yet
	again  time.Time // dress the icon once more; zero: no need
	blind  bool      // the tray is gone
}

// step draws what may be drawn at this time. It returns when to be called
// again; zero: when something happens.
func (o *owner) step(now time.Time) (next time.Time) {
	if !o.again.IsZero() && !now.Before(o.again) {
		o.again = time.Time{}
		o.try(o.face.dress(o.pool.Icon))
	}
	if o.dirty {
		next = o.redraw(now)
	}
	switch {
	case o.blind:
		return time.Time{}
	case next.IsZero() || !o.again.IsZero() && o.again.Before(next):
		return o.again
	}
	return next
}

func (o *owner) redraw(now time.Time) (next time.Time) {
	if now.Before(o.pace.icon()) {
		return o.pace.icon()
	}
	ops, after := o.pool.Diff(o.want())
	frozen := now.Before(o.pace.menu())
	if frozen {
		later := false
		after.Rows = o.pool.Rows
		mine := ops[:0]
		for _, op := range ops {
			if op.Menu() {
				later = true
			} else {
				mine = append(mine, op)
			}
		}
		if ops = mine; later {
			next = o.pace.menu()
		}
	}
	o.dirty = !next.IsZero()
	if len(ops) == 0 {
		return next
	}
	o.before, o.pool = o.pool, after
	o.pace.draw(now, ops)
	for _, op := range ops {
		if !o.try(o.face.draw(op)) {
			break
		}
	}
	return next
}

func (o *owner) try(err error) bool {
	o.blind = o.blind || err != nil
	return !o.blind
}

// act is what a click means that was made at this time.
func (o *owner) act(now time.Time, at At) Act {
	if now.Before(o.pace.drawn.Add(grace)) {
		if a := o.before.Act(at); a != (Act{}) {
			return a
		}
	}
	return o.pool.Act(at)
}

// own draws until ctx is done or the tray is gone. It reports the latter.
func (t *Tray) own(ctx context.Context, o *owner, gone <-chan struct{}, quit func()) (blind bool) {
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-gone:
			return true
		default:
		}
		if next := o.step(time.Now()); o.blind {
			return true
		} else if next.IsZero() {
			timer.Stop()
		} else {
			timer.Reset(time.Until(next))
		}
		select {
		case <-ctx.Done():
			return false
		case <-gone:
			return true
		case o.want = <-t.latest:
			o.dirty = true
		case <-t.opened:
			o.pace.open(time.Now())
			t.looked()
		case at := <-t.hits:
			a := o.act(time.Now(), at)
			if a == (Act{}) {
				continue
			}
			t.click(a)
			if a.Verb == Quit {
				quit()
			}
		case <-timer.C:
		}
	}
}
