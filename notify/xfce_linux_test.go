package notify

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/notify/internal/notifyd"
)

// popups is what the notification daemon of Xfce shows.
type popups struct {
	t  *testing.T
	sh func(args ...string) string
}

// windows are the IDs of the notices on the screen, the topmost first.
func (p popups) windows() []string {
	p.t.Helper()
	// xdotool fails where it finds none
	return strings.Fields(p.sh("run", "sh", "-c", "xdotool search --onlyvisible --class xfce4-notifyd || true"))
}

func (p popups) count(n int) func() bool {
	return func() bool { return len(p.windows()) == n }
}

// size is X, Y, width and height of the only notice there is; false while it goes.
func (p popups) size() (size [4]int, ok bool) {
	p.t.Helper()
	all := p.windows()
	if len(all) != 1 {
		return size, false
	}
	out := p.sh("run", "sh", "-c", "xdotool getwindowgeometry --shell "+all[0]+" || true")
	for i, key := range []string{"\nX=", "\nY=", "\nWIDTH=", "\nHEIGHT="} {
		_, rest, found := strings.Cut("\n"+out, key)
		value, _, _ := strings.Cut(rest, "\n")
		n, err := strconv.Atoi(value)
		if !found || err != nil {
			return size, false
		}
		size[i] = n
	}
	return size, true
}

// press clicks so far from the left, or from the right where that is negative, and so
// far from the bottom.
func (p popups) press(x, bottom int) {
	p.t.Helper()
	var s [4]int
	until(p.t, "one notice that stands still", func() bool {
		last := s
		now, ok := p.size()
		s = now
		return ok && s == last
	})
	if x < 0 {
		x += s[2]
	}
	p.sh("click", strconv.Itoa(s[0]+x), strconv.Itoa(s[1]+s[3]-bottom))
}

// The real xfce4-notifyd shows, changes and closes; its buttons work.
func TestXfce(t *testing.T) {
	sh := desktop(t, "--xfce-notify")
	p := popups{t, sh}
	d := NewDesktop(nil)
	defer d.Close(t.Context())
	raise := func(n Notice) (mute bool) {
		t.Helper()
		mute, err := d.Raise(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		return mute
	}
	event := func(want Event) {
		t.Helper()
		if e := notifyd.Wait(t, d.Events(), string(want.Action)); e != want {
			t.Errorf("got %+v, want %+v", e, want)
		}
	}

	n := ask("s1")
	n.Body = "Bash: a && b <i>"
	if !raise(n) {
		t.Error("it plays no sound, but ours is not wanted")
	}
	until(t, "the notice", p.count(1))
	before, _ := p.size()
	n.Body, n.Replaces, n.Silent = "Bash: something that is so much longer than it was before", true, true
	raise(n)
	until(t, "another size", func() bool {
		after, ok := p.size()
		return ok && after != before
	})
	raise(ask("s2"))
	until(t, "a second one", p.count(2))
	if err := d.Withdraw(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	until(t, "the first to go", p.count(1))

	const row, first, last = 30, 58, -58 // of its buttons
	p.press(last, row)
	event(Event{ID: "s2", Action: Mute})
	until(t, "the muted one to go", p.count(0))
	// A click beside the buttons only closes it: 0.7.3 has no action for that.
	for _, press := range []struct {
		bottom int
		does   Action
	}{{row, Open}, {90, Dismissed}} {
		raise(ask("s3"))
		until(t, "the next", p.count(1))
		p.press(first, press.bottom)
		event(Event{ID: "s3", Action: press.does})
		until(t, "it to go", p.count(0))
	}

	// What wants no disturbance hides a notice, shows one of an alert, and hears neither.
	if _, err := exec.LookPath("xfconf-query"); err != nil {
		t.Skip("no xfconf-query (Debian: xfconf)")
	}
	sh("run", "xfconf-query", "-c", "xfce4-notifyd", "-p", "/do-not-disturb", "-n", "-t", "bool", "-s", "true")
	hidden, loud := ask("s4"), ask("s5")
	loud.Critical = true
	until(t, "it to want no disturbance", func() bool { return !raise(hidden) })
	withdraw := func(id engine.ID) {
		t.Helper()
		if err := d.Withdraw(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		until(t, "it to go", p.count(0))
	}
	withdraw("s4")
	if raise(hidden) || raise(loud) {
		t.Error("our sound is wanted")
	}
	until(t, "the alert", p.count(1))
	withdraw("s5")
}

// A notice that stays does; another goes in its time.
func TestXfceStays(t *testing.T) {
	sh := desktop(t, "--xfce-notify")
	p := popups{t, sh}
	sh("run", "xfconf-query", "-c", "xfce4-notifyd", "-p", "/expire-timeout", "-n", "-t", "int", "-s", "1")
	d := NewDesktop(nil)
	defer d.Close(t.Context())
	for _, n := range []Notice{ask("s1"), {ID: "s2", IDs: []engine.ID{"s2"}, Kind: Waiting, Title: "api: your turn"}} {
		if _, err := d.Raise(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "both", p.count(2))
	select {
	case e := <-d.Events():
		if e != (Event{ID: "s2", Action: Expired}) {
			t.Errorf("got %+v", e)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("none went")
	}
	until(t, "the one that stays", p.count(1))
}
