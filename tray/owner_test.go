package tray

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"deskbell/engine"
)

func menuOf(titles ...string) Menu {
	m := Menu{Icon: Icon{Kind: Needs, Status: engine.Waiting, Count: len(titles), Tip: fmt.Sprint(len(titles))}}
	for _, title := range titles {
		m.Items = append(m.Items, leaf(title))
	}
	m.Items = append(m.Items, Item{Rule: true, Room: 6}, Item{Title: "quit", Act: Act{Verb: Quit}})
	return m
}

// watched is a glass that keeps when it was drawn on.
type watched struct {
	glass
	start time.Time
	at    []time.Duration
	tips  []time.Duration
}

func (w *watched) draw(op Op) error {
	now := time.Since(w.start)
	if op.Menu() && !slices.Contains(w.at, now) {
		w.at = append(w.at, now)
	}
	if op.Do == SetTip {
		w.tips = append(w.tips, now)
	}
	return w.glass.draw(op)
}

// play runs an owner in a bubble of time.
func play(t *testing.T, do func(*Tray, *watched)) {
	synctest.Test(t, func(t *testing.T) {
		tr, w := New(Options{}), &watched{glass: glass{t: t}, start: time.Now()}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		done := make(chan struct{})
		go func() { defer close(done); tr.own(ctx, &owner{face: w, pace: pace{calm: calm}}, nil, cancel) }()
		do(tr, w)
		cancel()
		<-done
	})
}

// pass lets time go by, and what falls due in it be done.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

const sec, msec = time.Second, time.Millisecond

func TestTheFirstChangeIsDrawnAtOnceTheNextInARow(t *testing.T) {
	play(t, func(tr *Tray, w *watched) {
		for i := range 45 { // nine seconds
			tr.Show(menuOf(fmt.Sprint(i)))
			time.Sleep(200 * msec)
		}
		pass(time.Hour)
		if want := []time.Duration{0, 2 * sec, 4 * sec, 6 * sec, 8 * sec, 10 * sec}; !slices.Equal(w.at, want) {
			t.Errorf("drawn at %v, want %v", w.at, want)
		}
		if got, want := w.text(), seen(menuOf("44").Items, ""); !slices.Equal(got, want) {
			t.Errorf("shows %q, want %q", got, want)
		}
		tr.Show(menuOf("after an hour"))
		synctest.Wait()
		if last := w.at[len(w.at)-1]; last != time.Since(w.start) {
			t.Errorf("drawn at %v, want now, %v", last, time.Since(w.start))
		}
	})
}

// C111
func TestNothingIsDrawnWhereNothingChanged(t *testing.T) {
	play(t, func(tr *Tray, w *watched) {
		tr.Show(menuOf("a", "b"))
		synctest.Wait()
		before := w.acts
		for range 100 {
			tr.Show(menuOf("a", "b"))
			pass(sec)
		}
		if w.acts != before {
			t.Errorf("%d changes of nothing", w.acts-before)
		}
	})
}

func TestWhatIsSkippedIsNotLaidOut(t *testing.T) {
	play(t, func(tr *Tray, w *watched) {
		laid := 0
		for i := range 500 { // ten seconds
			tr.Draw(func() Menu { laid++; return menuOf(fmt.Sprint(i)) })
			time.Sleep(20 * msec)
		}
		pass(time.Hour)
		if laid != 6 || len(w.at) != 6 {
			t.Errorf("laid out %d times and drawn %d times, want 6", laid, len(w.at))
		}
		if got, want := w.text(), seen(menuOf("499").Items, ""); !slices.Equal(got, want) {
			t.Errorf("shows %q, want %q", got, want)
		}
	})
}

func TestALargeRedrawIsFollowedByARest(t *testing.T) {
	play(t, func(tr *Tray, w *watched) {
		many := func(round int) Menu {
			var titles []string
			for i := range large + 1 {
				titles = append(titles, fmt.Sprint(round, i))
			}
			m := menuOf(titles...)
			m.Icon.Tip = fmt.Sprint(round)
			return m
		}
		for i := range 50 { // ten seconds
			tr.Show(many(i))
			time.Sleep(200 * msec)
		}
		pass(time.Hour)
		if want := []time.Duration{0, 2 * sec, 8 * sec, 13 * sec}; !slices.Equal(w.at, want) {
			t.Errorf("menu drawn at %v, want %v", w.at, want)
		}
		if want := []time.Duration{0, 2 * sec, 4 * sec, 6 * sec, 8 * sec, 10 * sec}; !slices.Equal(w.tips, want) {
			t.Errorf("icon drawn at %v, want %v", w.tips, want)
		}
		if got, want := w.text(), seen(many(49).Items, ""); !slices.Equal(got, want) {
			t.Errorf("shows %q, want %q", got, want)
		}
	})
}

// C113
func TestAnOpenedMenuIsLeftAlone(t *testing.T) {
	play(t, func(tr *Tray, w *watched) {
		tr.Show(menuOf("a"))
		pass(10 * sec)
		tr.opened <- struct{}{}
		synctest.Wait()
		tr.Show(menuOf("b", "c"))
		pass(9 * sec)
		tr.opened <- struct{}{} // once more, prolongs nothing
		tr.Show(menuOf("d", "e", "f"))
		pass(sec)
		if got, want := w.text(), seen(menuOf("a").Items, ""); !slices.Equal(got, want) {
			t.Errorf("the open menu shows %q, want %q", got, want)
		}
		if want := []time.Duration{0, 10 * sec, 19 * sec}; !slices.Equal(w.tips, want) {
			t.Errorf("icon drawn at %v, want %v", w.tips, want)
		}
		tr.hits <- At{0, -1}
		if a := <-tr.Clicks(); a.Session != "a" {
			t.Errorf("a click on what is shown is %v, want a", a)
		}
		pass(time.Minute)
		if want := []time.Duration{0, 25 * sec}; !slices.Equal(w.at, want) {
			t.Errorf("menu drawn at %v, want %v", w.at, want)
		}
		if got, want := w.text(), seen(menuOf("d", "e", "f").Items, ""); !slices.Equal(got, want) {
			t.Errorf("then it shows %q, want %q", got, want)
		}
	})
}

func TestAClickMeansWhatWasSeen(t *testing.T) {
	play(t, func(tr *Tray, w *watched) {
		tr.Show(menuOf("a", "b"))
		pass(10 * sec)
		tr.Show(menuOf("b"))
		pass(grace - msec)
		tr.hits <- At{0, -1}
		if a := <-tr.Clicks(); a.Session != "a" {
			t.Errorf("right after the redraw: %v, want a", a)
		}
		tr.hits <- At{1, -1}
		if a := <-tr.Clicks(); a.Session != "b" {
			t.Errorf("on a row that went: %v, want b", a)
		}
		pass(msec)
		tr.hits <- At{0, -1}
		if a := <-tr.Clicks(); a.Session != "b" {
			t.Errorf("later: %v, want b", a)
		}
		tr.hits <- At{1, -1} // hidden by now
		tr.hits <- At{99, -1}
		synctest.Wait()
		select {
		case a := <-tr.Clicks():
			t.Errorf("a click on nothing is %v", a)
		default:
		}
	})
}

func TestQuit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := New(Options{})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		tr.Show(menuOf("a"))
		go tr.own(ctx, &owner{face: &glass{t: t}}, nil, cancel)
		synctest.Wait()
		tr.hits <- At{7, -1}
		synctest.Wait()
		if a := <-tr.Clicks(); a.Verb != Quit {
			t.Errorf("got %v, want quit", a)
		}
		if ctx.Err() == nil {
			t.Error("goes on")
		}
	})
}

func TestALostTrayIsNotTouchedAgain(t *testing.T) {
	for name, lose := range map[string]func(*glass, chan struct{}){
		"bus gone":  func(_ *glass, gone chan struct{}) { close(gone) },
		"it panics": func(g *glass, _ chan struct{}) { g.gone = errors.New("connection closed") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tr, g, gone := New(Options{}), &glass{t: t}, make(chan struct{})
				blind := make(chan bool, 1)
				go func() { blind <- tr.own(t.Context(), &owner{face: g}, gone, nil) }()
				tr.Show(menuOf("a"))
				synctest.Wait()
				lose(g, gone)
				tr.Show(menuOf("b"))
				if !<-blind {
					t.Error("did not notice")
				}
				for range 100 {
					tr.Show(menuOf("c")) // never blocks
				}
			})
		})
	}
}

func TestTheIconIsSetAgain(t *testing.T) {
	now := time.Now()
	g := &glass{t: t}
	o := &owner{face: g, again: now.Add(settled), want: func() Menu { return menuOf("a") }, dirty: true}
	if next := o.step(now); next != now.Add(settled) {
		t.Errorf("next is %v", next)
	}
	g.icon = Icon{} // lost
	if next := o.step(now.Add(settled)); !next.IsZero() || g.icon != o.want().Icon {
		t.Errorf("next %v, icon %+v, want none and %+v", next, g.icon, o.want().Icon)
	}
}
