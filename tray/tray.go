package tray

import (
	"context"
	"time"
)

// Options is what a tray is made with.
type Options struct {
	// Say is told, once each, what keeps the icon from being seen. It is
	// called on a goroutine of the tray and must not block. Nil: nobody is told.
	Say func(string)
	// LeftNext makes a left click ask for [Next] where it would show the menu.
	LeftNext bool
}

// Tray is the icon and the menu on the screen. There can be one per process.
type Tray struct {
	options Options
	latest  chan func() Menu // holds the newest menu nobody has drawn yet
	clicks  chan Act
	hits    chan At
	opened  chan struct{}
	looks   chan struct{}

	patience time.Duration // how long a desktop may take to bring up its tray host
	retry    time.Duration // between two attempts to reach a session bus
	calm     time.Duration
}

// New returns a tray that shows nothing until [Tray.Run].
func New(o Options) *Tray {
	if o.Say == nil {
		o.Say = func(string) {}
	}
	return &Tray{
		options: o, latest: make(chan func() Menu, 1), clicks: make(chan Act, 16), hits: make(chan At, 16), opened: make(chan struct{}, 1), looks: make(chan struct{}, 1),
		patience: 10 * time.Second, retry: 30 * time.Second, calm: calm,
	}
}

// Show makes the tray show m. It never blocks, may be called at any time from
// any goroutine, and of several menus in a short time only the last is drawn.
func (t *Tray) Show(m Menu) { t.Draw(func() Menu { return m }) }

// Draw is Show for a menu that is laid out only if it is drawn. Layout is called on a
// goroutine of the tray, more than once where the menu is left alone for now.
func (t *Tray) Draw(layout func() Menu) {
	for {
		select {
		case t.latest <- layout:
			return
		default:
		}
		select {
		case <-t.latest:
		default:
		}
	}
}

// Clicks delivers what was clicked. A reader that is sixteen clicks behind
// misses the next ones.
func (t *Tray) Clicks() <-chan Act { return t.clicks }

// Opened tells that the menu was opened, where that can be seen. Openings nobody has been
// told of yet count as one.
func (t *Tray) Opened() <-chan struct{} { return t.looks }

func (t *Tray) looked() {
	select {
	case t.looks <- struct{}{}:
	default:
	}
}

func (t *Tray) click(a Act) {
	select {
	case t.clicks <- a:
	default:
	}
}

// first returns the menu to start with.
func (t *Tray) first(want func() Menu) func() Menu {
	select {
	case want = <-t.latest:
	default:
	}
	return want
}

// wait blocks until a menu wants to be drawn, and then until d has passed since
// the time given. It reports false when ctx is done.
func (t *Tray) wait(ctx context.Context, since time.Time, d time.Duration) (m func() Menu, ok bool) {
	select {
	case m = <-t.latest:
	case <-ctx.Done():
		return m, false
	}
	left := time.NewTimer(time.Until(since.Add(d)))
	defer left.Stop()
	select {
	case <-left.C:
		select {
		case m = <-t.latest: // it needs no turn of its own
		default:
		}
		return m, true
	case <-ctx.Done():
		return m, false
	}
}
