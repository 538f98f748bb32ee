//go:build !darwin || cgo

package tray

import (
	"context"
	"fmt"
	"sync"
	"time"

	"fyne.io/systray"

	"deskbell/engine"
)

// Run shows the tray until ctx is done or Quit is clicked. It must be called on
// the main goroutine, once per process. Where there is nothing to draw on it
// waits, draws nothing, and returns all the same when ctx is done.
func (t *Tray) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer cancel()

	desk, want, ok := t.reach(ctx, func() Menu { return Build(engine.Snapshot{}, Prefs{}) })
	if !ok {
		return nil
	}
	defer desk.close()
	defer wg.Wait()
	defer cancel()

	d := &drawer{ctx: ctx, wg: &wg, hits: t.hits}
	o := &owner{face: d, pace: pace{calm: t.calm}, want: t.first(want), dirty: true}
	icon := o.want().Icon
	if early {
		if err := d.dress(icon); err != nil {
			return err
		}
	}
	if t.options.LeftNext {
		systray.SetOnTapped(func() { t.click(Act{Verb: Next}) })
	}
	ready, built := make(chan struct{}), make(chan struct{})
	wg.Go(func() {
		defer close(built)
		if !t.await(ctx, ready) {
			return
		}
		o.pool.Icon = icon
		if o.again = time.Now().Add(settled); !early {
			o.again = time.Time{}
			o.try(d.dress(icon))
		}
		o.step(time.Now())
		built <- struct{}{}
		if t.own(ctx, o, desk.gone(), cancel) {
			t.options.Say(lost)
		}
	})
	wg.Go(func() { desk.attend(ctx, t.options.Say, t.patience) })
	wg.Go(func() { d.openings(t.opened) })
	host(ctx, desk, ready, func() {
		// The menu must be complete when this returns: hosts ask for it once.
		systray.Run(func() { close(ready); <-built }, nil)
	}, systray.Quit)
	return nil
}

// await waits until the tray can be drawn on, and says so once if that takes
// longer than it ever should.
func (t *Tray) await(ctx context.Context, ready <-chan struct{}) bool {
	long := time.NewTimer(t.patience)
	defer long.Stop()
	for {
		select {
		case <-ready:
			return true
		case <-ctx.Done():
			return false
		case <-long.C:
			t.options.Say(stuck)
		}
	}
}

// stuck is said when the desktop gives us no place to draw.
const stuck = "the desktop gives no room for a tray icon; deskbell runs on without"

// lost is said when the tray goes away under us.
const lost = "the desktop session is gone, and the tray icon with it; start deskbell again in the new session"

// drawer draws with the systray library.
type drawer struct {
	ctx  context.Context
	wg   *sync.WaitGroup
	hits chan<- At
	rows []node
	text string
}

// node is a row that was made; a rule has no item.
type node struct {
	item  *systray.MenuItem
	under []node
}

// guard turns a panic of the library into an error: it panics when its
// connection is gone.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("tray: %v", p)
	}
}

func (d *drawer) dress(i Icon) (err error) {
	defer guard(&err)
	systray.SetTemplateIcon(template(i), pixels(i))
	d.caption(i)
	systray.SetTooltip(i.Tip)
	return nil
}

// caption writes what stands beside the icon, or what it is called.
func (d *drawer) caption(i Icon) {
	if text := caption(i); text != d.text {
		d.text = text
		systray.SetTitle(text)
	}
}

func (d *drawer) draw(op Op) (err error) {
	defer guard(&err)
	switch op.Do {
	case SetPicture:
		systray.SetTemplateIcon(template(op.Icon), pixels(op.Icon))
	case SetTip:
		systray.SetTooltip(op.Icon.Tip)
	case SetText:
		d.caption(op.Icon)
	case Add, AddRule:
		d.add(op)
	default:
		d.change(d.item(op.At), op)
	}
	return nil
}

func (d *drawer) add(op Op) {
	to, parent := &d.rows, (*systray.MenuItem)(nil)
	if op.At.Under >= 0 {
		to, parent = &d.rows[op.At.Row].under, d.rows[op.At.Row].item
	}
	switch {
	case op.Do == AddRule && parent == nil:
		systray.AddSeparator()
		*to = append(*to, node{})
		return
	case op.Do == AddRule:
		parent.AddSeparator()
		*to = append(*to, node{})
		return
	}
	var item *systray.MenuItem
	if title := escape(op.Title, mark); parent == nil {
		item = systray.AddMenuItem(title, "")
	} else {
		item = parent.AddSubMenuItem(title, "")
	}
	*to = append(*to, node{item: item})
	d.wg.Go(func() { d.listen(item, op.At) })
}

func (d *drawer) item(at At) *systray.MenuItem {
	if at.Under >= 0 {
		return d.rows[at.Row].under[at.Under].item
	}
	return d.rows[at.Row].item
}

func (d *drawer) change(item *systray.MenuItem, op Op) {
	switch op.Do {
	case SetTitle:
		item.SetTitle(escape(op.Title, mark))
	case Enable:
		item.Enable()
	case Disable:
		item.Disable()
	case Show:
		item.Show()
	case Hide:
		item.Hide()
	}
}

// listen hands clicks over. The library drops a click nobody waits for, so
// nothing else may happen here.
func (d *drawer) listen(item *systray.MenuItem, at At) {
	for {
		select {
		case <-item.ClickedCh:
		case <-d.ctx.Done():
			return
		}
		select {
		case d.hits <- at:
		case <-d.ctx.Done():
			return
		}
	}
}

func (d *drawer) openings(to chan<- struct{}) {
	for {
		select {
		case <-systray.TrayOpenedCh:
		case <-d.ctx.Done():
			return
		}
		select {
		case to <- struct{}{}:
		default:
		}
	}
}
