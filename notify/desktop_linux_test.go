package notify

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"deskbell/engine"
	"deskbell/notify/internal/notifyd"
)

var all = []string{"actions", "body", "body-markup", "sound"}

// desk is a sender on a desktop of its own.
type desk struct {
	*Sender
	bus  *bus
	said chan string
	ran  chan []string // calls of the fallback
}

// newDesk runs a sender without a fallback.
func newDesk(t *testing.T) *desk { return newDeskLimit(t, 0) }

func newDeskLimit(t *testing.T, limit time.Duration) *desk { return newDeskWith(t, limit, nil) }

func newDeskWith(t *testing.T, limit time.Duration, with func(*Sender)) *desk {
	d := &desk{said: make(chan string, 16), ran: make(chan []string, 16)}
	d.bus = NewDesktop(nil).(*bus)
	d.bus.run = func(_ context.Context, name string, args ...string) error {
		d.ran <- append([]string{name}, args...)
		return &missing{name}
	}
	d.Sender = NewSender(d.bus, func(s string) { d.said <- s })
	d.Limit = limit
	if with != nil {
		with(d.Sender)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { d.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		wg.Wait()
	})
	return d
}

type missing struct{ name string }

func (m *missing) Error() string { return m.name + " is not installed" }

func (d *desk) raise(n ...Notice)         { d.Show(n, nil) }
func (d *desk) withdraw(ids ...engine.ID) { d.Show(nil, ids) }

// settle waits until the service has answered all that was wanted so far.
func (d *desk) settle(t *testing.T, s *notifyd.Service) {
	t.Helper()
	d.raise(ask("probe"))
	number := s.Next(t).Number
	d.withdraw("probe")
	if got := notifyd.Wait(t, s.Closed, "the end of the probe"); got != number {
		t.Fatalf("closed %d, want %d", got, number)
	}
}

func ask(id engine.ID) Notice {
	return Notice{ID: id, IDs: []engine.ID{id}, Kind: Approval, Title: string(id) + " needs your approval", Body: "Bash: ls",
		Line: "Claude Code · kitty · ~/app", Sound: true, Stays: true}
}

func TestBusRaise(t *testing.T) {
	b := notifyd.NewBus(t)
	s := b.Serve(t, all...)
	d := newDesk(t)
	d.raise(ask("s1"))
	n := s.Next(t)
	if n.App != "deskbell" || n.Replaces != 0 || n.Title != "s1 needs your approval" || n.Body != "Bash: ls\nClaude Code · kitty · ~/app" || n.Expire != 0 {
		t.Errorf("got %+v", n)
	}
	if want := []string{"default", "", "open", "Open", "mute", "Mute 1 h"}; !slices.Equal(n.Actions, want) {
		t.Errorf("got actions %q, want %q", n.Actions, want)
	}
	hints := map[string]any{"urgency": byte(1), "category": "x-deskbell.approval", "desktop-entry": "deskbell", "sound-name": "message-new-instant"}
	for key, want := range hints {
		if got := n.Hints[key].Value(); got != want {
			t.Errorf("hint %s: got %v, want %v", key, got, want)
		}
	}
	if len(n.Hints) != len(hints) {
		t.Errorf("got hints %v, want %v", n.Hints, hints)
	}
	d.raise(Notice{ID: "s2", Kind: Waiting, Title: "api: your turn", Critical: true})
	n = s.Next(t)
	if n.Expire != -1 || n.Hints["suppress-sound"].Value() != true || n.Hints["urgency"].Value() != byte(2) || n.Body != "" {
		t.Errorf("got %+v", n)
	}
}

// Where the service has no buttons, none is offered, and no click promised (C103).
func TestBusWithoutCapabilities(t *testing.T) {
	b := notifyd.NewBus(t)
	s := b.Serve(t, "body")
	d := newDesk(t)
	n := ask("s1")
	n.Body = "a & b <i>"
	d.raise(n)
	if got := s.Next(t); len(got.Actions) != 0 || got.Body != "a & b <i>\nClaude Code · kitty · ~/app" {
		t.Errorf("got actions %q, body %q", got.Actions, got.Body)
	}
}

// A daemon with body-markup gets text that only looks like markup escaped (C98).
func TestBusMarkupC98(t *testing.T) {
	b := notifyd.NewBus(t)
	s := b.Serve(t, all...)
	d := newDesk(t)
	n := ask("s1")
	n.Title, n.Body, n.Line = "a & b", "<font>x</font> <a href=\"u\">", "~/a&b"
	d.raise(n)
	got := s.Next(t)
	if want := "&lt;font&gt;x&lt;/font&gt; &lt;a href=\"u\"&gt;\n~/a&amp;b"; got.Body != want || got.Title != "a & b" {
		t.Errorf("got title %q, body %q, want %q", got.Title, got.Body, want)
	}
}

func TestBusReplaceAndWithdraw(t *testing.T) {
	b := notifyd.NewBus(t)
	s := b.Serve(t, all...)
	d := newDesk(t)
	d.raise(ask("s1"))
	first := s.Next(t)
	next := ask("s1")
	next.Body, next.Replaces, next.Silent = "Bash: pwd", true, true
	d.raise(next)
	if n := s.Next(t); n.Replaces != first.Number || n.Number != first.Number {
		t.Errorf("got %d in place of %d, want %d", n.Number, n.Replaces, first.Number)
	}
	d.withdraw("s1", "s9")
	if got := notifyd.Wait(t, s.Closed, "its end"); got != first.Number {
		t.Errorf("closed %d, want %d", got, first.Number)
	}
	// Our own closing is no news, and a silent text has nothing to change any more.
	d.raise(next, ask("s2"))
	if n := s.Next(t); !strings.HasPrefix(n.Title, "s2") || n.Replaces != 0 {
		t.Errorf("got %+v", n)
	}
	select {
	case e := <-d.Events():
		t.Errorf("got %+v", e)
	default:
	}
}

func TestBusClick(t *testing.T) {
	b := notifyd.NewBus(t)
	s := b.Serve(t, all...)
	d := newDesk(t)
	d.raise(ask("s1"), ask("s2"), ask("s3"))
	one, two, three := s.Next(t), s.Next(t), s.Next(t)
	stranger := b.Dial(t)
	for _, key := range []string{"default", "open"} {
		stranger.Emit(object, service+".ActionInvoked", one.Number, key)
	}
	s.Press(999, "default")
	s.Press(two.Number, "default")
	if e := notifyd.Wait(t, d.Events(), "a click"); e != (Event{"s2", Open, "token-1"}) {
		t.Errorf("got %+v", e)
	}
	s.Press(one.Number, "open")
	if e := notifyd.Wait(t, d.Events(), "a click"); e.ID != "s1" || e.Action != Open {
		t.Errorf("got %+v", e)
	}
	s.Drop(three.Number, 2)
	if e := notifyd.Wait(t, d.Events(), "its end"); e != (Event{"s3", Dismissed, ""}) || e.Action.Why() != "closed by you" {
		t.Errorf("got %+v", e)
	}
	// What the user closed is not opened again by another text.
	n := ask("s3")
	n.Silent, n.Replaces = true, true
	d.raise(n, ask("s4"))
	four := s.Next(t)
	if !strings.HasPrefix(four.Title, "s4") {
		t.Errorf("got %+v", four)
	}
	s.Drop(four.Number, 1)
	if e := notifyd.Wait(t, d.Events(), "its end"); e != (Event{"s4", Expired, ""}) {
		t.Errorf("got %+v", e)
	}
}

// A daemon that never answers costs nothing: the caller goes on at once, the
// sender gives up, and says so once (C95).
func TestBusStuckC95(t *testing.T) {
	b := notifyd.NewBus(t)
	s := b.Serve(t, all...)
	d := newDeskLimit(t, 100*time.Millisecond)
	release := s.Stick()
	defer release()
	began := time.Now()
	for range 200 {
		d.raise(ask("s1"), ask("s2"))
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("400 notices took the caller %v", took)
	}
	if got := notifyd.Wait(t, d.said, "what is wrong"); got != "notices are not shown: the notification service does not answer" {
		t.Errorf("said %q", got)
	}
	notifyd.Wait(t, s.Notes, "the one that hangs")
	s.None(t)
	select {
	case call := <-d.ran:
		t.Errorf("%q was tried although the service may still show the notice", call)
	default:
	}
	// It comes round: what hung is known, and only the latest wishes are left.
	d.withdraw("s1")
	release()
	if n := s.Next(t); !strings.HasPrefix(n.Title, "s2") {
		t.Errorf("got %+v", n)
	}
	notifyd.Wait(t, s.Closed, "the end of s1")
	s.None(t)
	if len(d.said) != 0 {
		t.Errorf("said %q as well", <-d.said)
	}
}

// No service is said once; the notices come when one appears (C96).
func TestBusMissingC96(t *testing.T) {
	b := notifyd.NewBus(t)
	d := newDesk(t)
	d.raise(ask("s1"))
	want := "notices are not shown: no notification service runs (dunst, mako and xfce4-notifyd are some)"
	if got := notifyd.Wait(t, d.said, "what is wrong"); got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	d.raise(ask("s2"), ask("s3"))
	d.withdraw("s3")
	n := ask("s1")
	n.Body, n.Silent, n.Replaces, n.Sound = "Bash: pwd", true, true, false
	d.raise(n)
	for _, want := range []string{"notify-send", "kdialog", "notify-send", "kdialog"} {
		if call := notifyd.Wait(t, d.ran, "the fallback"); call[0] != want {
			t.Fatalf("ran %q, want %s", call, want)
		}
	}
	for len(d.ran) > 0 {
		<-d.ran
	}
	s := b.Serve(t, all...)
	got := map[string]notifyd.Note{}
	for range 2 {
		n := s.Next(t)
		got[n.Title] = n
	}
	if n := got["s1 needs your approval"]; n.Body != "Bash: pwd\nClaude Code · kitty · ~/app" || n.Hints["sound-name"].Value() == nil {
		t.Errorf("got %+v", n)
	}
	if n := got["s2 needs your approval"]; n.Number == 0 {
		t.Errorf("got %v", got)
	}
	if len(d.said) != 0 {
		t.Errorf("said %q as well", <-d.said)
	}
}

// A daemon that starts anew knows of no notice. What stays until it is answered
// comes again, silently.
func TestBusDaemonRestart(t *testing.T) {
	b := notifyd.NewBus(t)
	s := b.Serve(t, all...)
	d := newDesk(t)
	turn := Notice{ID: "s2", Kind: Waiting, Title: "api: your turn"}
	d.raise(ask("s1"), turn)
	first := s.Next(t)
	s.Next(t)
	d.settle(t, s)
	s.Stop()
	s = b.Serve(t, all...)
	n := s.Next(t)
	if n.Title != "s1 needs your approval" || n.Replaces != 0 || n.Hints["sound-name"].Value() != nil {
		t.Errorf("got %+v", n)
	}
	s.Press(first.Number+100, "default") // nothing of ours
	d.withdraw("s1")
	if got := notifyd.Wait(t, s.Closed, "its end"); got != n.Number {
		t.Errorf("closed %d, want %d", got, n.Number)
	}
	s.None(t)
}

// Without a bus nothing is shown and nothing breaks; a bus that comes is used.
func TestBusLost(t *testing.T) {
	b := notifyd.NewBus(t)
	s := b.Serve(t, all...)
	d := newDesk(t)
	d.raise(ask("s1"))
	s.Next(t)
	b.Stop()
	d.raise(ask("s2"))
	if got := notifyd.Wait(t, d.said, "what is wrong"); !strings.HasPrefix(got, "notices are not shown: session bus: ") {
		t.Errorf("said %q", got)
	}
	s = notifyd.NewBus(t).Serve(t, all...)
	d.raise(ask("s3"))
	seen := map[string]bool{}
	for range 3 {
		seen[s.Next(t).Title[:2]] = true
	}
	if !seen["s1"] || !seen["s2"] || !seen["s3"] {
		t.Errorf("got %v", seen)
	}
}

// Whoever quits takes its notices along: nobody is left to answer their clicks.
func TestBusClose(t *testing.T) {
	b := notifyd.NewBus(t)
	s := b.Serve(t, all...)
	d := NewDesktop(nil).(*bus)
	sender := NewSender(d, func(string) {})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { sender.Run(ctx); close(done) }()
	sender.Show([]Notice{ask("s1"), ask("s2")}, nil)
	want := []uint32{s.Next(t).Number, s.Next(t).Number}
	(&desk{Sender: sender}).settle(t, s)
	cancel()
	notifyd.Wait(t, done, "the end")
	got := []uint32{notifyd.Wait(t, s.Closed, "an end"), notifyd.Wait(t, s.Closed, "an end")}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("closed %v, want %v", got, want)
	}
}

// Our signals must not reach the connection the tray uses, nor the other way.
func TestBusIsPrivate(t *testing.T) {
	b := notifyd.NewBus(t)
	s := b.Serve(t, all...)
	shared, err := dbus.SessionBus()
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	signals := make(chan *dbus.Signal, 16)
	shared.Signal(signals)
	d := newDesk(t)
	d.raise(ask("s1"))
	s.Press(s.Next(t).Number, "default")
	notifyd.Wait(t, d.Events(), "a click")
	for len(signals) > 0 {
		if got := <-signals; strings.HasPrefix(got.Name, service) {
			t.Errorf("the shared connection got %v", got)
		}
	}
}
