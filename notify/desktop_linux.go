package notify

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/godbus/dbus/v5"

	"deskbell/engine"
)

const (
	service  = "org.freedesktop.Notifications"
	object   = dbus.ObjectPath("/org/freedesktop/Notifications")
	busName  = "org.freedesktop.DBus"
	noOwner  = busName + ".Error.NameHasNoOwner"
	unknown  = busName + ".Error.ServiceUnknown"
	noReply  = busName + ".Error.NoReply"
	ownerNew = busName + ".NameOwnerChanged"
)

var errNoService = errors.New("no notification service runs (dunst, mako and xfce4-notifyd are some)")

// NewDesktop is the desktop's notification service, on a D-Bus connection of our
// own: the shared one belongs to the tray, which loses its host when it sees the
// signals of notices. Icon is a PNG, or nil. Where the service cannot be reached,
// notify-send or kdialog is tried.
func NewDesktop(icon []byte) Desktop {
	return &bus{icon: pixels(icon), events: make(chan Event, 64), run: run}
}

// bus is org.freedesktop.Notifications.
type bus struct {
	icon   *dbus.Variant
	events chan Event
	run    func(ctx context.Context, name string, args ...string) error // a program of the fallback

	listeners sync.WaitGroup

	mu     sync.Mutex
	conn   *dbus.Conn       // guarded by mu
	server *server          // guarded by mu; nil: not looked for
	away   bool             // guarded by mu: the service is not where it was
	popups map[uint32]popup // guarded by mu, as server gave the numbers
	early  []*dbus.Signal   // guarded by mu: what came of a number before the number did
	asking bool             // guarded by mu: a number is under way
}

// server is who answers to the name of the service at the moment.
type server struct {
	conn  *dbus.Conn
	owner string // its unique name: a successor knows of no notice of ours
	name  string
	caps  map[string]bool
}

// popup is one notice on the screen.
type popup struct {
	id     engine.ID
	token  string
	opened bool
}

// Raise implements [Desktop].
func (b *bus) Raise(ctx context.Context, n Notice) (mute bool, err error) {
	mute, err = b.raise(ctx, n)
	// After a timeout the service may still show it: twice would be once too often.
	if err == nil || n.Silent || ctx.Err() != nil {
		return mute, err
	}
	if b.fallback(ctx, n) == nil {
		return true, nil
	}
	return false, err
}

func (b *bus) raise(ctx context.Context, n Notice) (mute bool, err error) {
	for again := true; ; again = false {
		s, err := b.find(ctx)
		if err != nil {
			return false, err
		}
		old := b.number(n.ID)
		if n.Silent && old == 0 {
			return false, errNotUp
		}
		if n.Sound && s.caps["sound"] {
			n.Sound = !b.quiet(ctx, s)
		}
		var id uint32
		b.ask()
		err = s.call(ctx, "Notify", app, old, "", n.Title, s.body(n), s.actions(), s.hints(n, b.icon), expire(n)).Store(&id)
		if err == nil {
			b.raised(s, n.ID, id)
			return n.Sound && !s.caps["sound"] && !b.quiet(ctx, s), nil
		}
		if !again || !gone(err) {
			return false, failedAt{fmt.Errorf("notification service: %w", err)}
		}
		b.forget(s)
	}
}

// Withdraw implements [Desktop].
func (b *bus) Withdraw(ctx context.Context, id engine.ID) error {
	number, s := b.drop(id)
	if number == 0 || s == nil {
		return nil
	}
	var answer dbus.Error
	if err := s.call(ctx, "CloseNotification", number).Err; errors.As(err, &answer) || err == nil {
		return nil // an error of the service itself: it was closed already
	} else {
		return fmt.Errorf("notification service: %w", err)
	}
}

// Events implements [Desktop].
func (b *bus) Events() <-chan Event { return b.events }

// Close implements [Desktop]. It waits for no answer of the service.
func (b *bus) Close(context.Context) error {
	b.mu.Lock()
	conn, s, popups := b.conn, b.server, b.popups
	b.conn, b.server, b.popups = nil, nil, nil
	b.mu.Unlock()
	if s != nil {
		for number := range popups {
			s.conn.Object(s.owner, object).Call(service+".CloseNotification", dbus.FlagNoReplyExpected, number)
		}
	}
	if conn != nil {
		conn.Close()
	}
	b.listeners.Wait()
	return nil
}

func (s *server) call(ctx context.Context, method string, args ...any) *dbus.Call {
	return s.conn.Object(s.owner, object).CallWithContext(ctx, service+"."+method, 0, args...)
}

// gone reports whether err says that nobody is there any more to answer.
func gone(err error) bool {
	var answer dbus.Error
	if errors.As(err, &answer) {
		return answer.Name == unknown || answer.Name == noReply || answer.Name == noOwner
	}
	return !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled)
}

// number is what the service calls the notice id; 0: none is up.
func (b *bus) number(id engine.ID) uint32 {
	b.mu.Lock()
	defer b.mu.Unlock()
	for number, p := range b.popups {
		if p.id == id {
			return number
		}
	}
	return 0
}

// ask keeps the signals that overtake the answer they rest on.
func (b *bus) ask() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asking, b.early = true, nil
}

func (b *bus) raised(s *server, id engine.ID, number uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asking = false
	if b.server != s {
		return // it is gone, and the notice with it
	}
	for old, p := range b.popups {
		if p.id == id {
			delete(b.popups, old)
		}
	}
	b.popups[number] = popup{id: id}
	for _, sig := range b.early {
		b.signalLocked(sig)
	}
}

func (b *bus) drop(id engine.ID) (uint32, *server) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for number, p := range b.popups {
		if p.id == id {
			delete(b.popups, number)
			return number, b.server
		}
	}
	return 0, nil
}
