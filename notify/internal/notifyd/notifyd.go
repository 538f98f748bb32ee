// Package notifyd gives tests a session bus of their own with a notification
// service in it. It needs the dbus-daemon program.
package notifyd

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"deskbell/testdata/bus"
)

const (
	name = "org.freedesktop.Notifications"
	path = dbus.ObjectPath("/org/freedesktop/Notifications")
)

// NewBus runs a session bus until the end of the test and makes it the one the
// environment names.
func NewBus(t testing.TB) *Bus {
	t.Helper()
	b := &Bus{bus.Run(t)}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", b.Addr)
	return b
}

// Bus is a running session bus.
type Bus struct{ *bus.Bus }

// Note is one Notify call as the service got it.
type Note struct {
	App      string
	Replaces uint32
	Icon     string
	Title    string
	Body     string
	Actions  []string
	Hints    map[string]dbus.Variant
	Expire   int32
	Number   uint32 // as it was answered
}

// Service is a notification service.
type Service struct {
	Notes  chan Note   // each Notify
	Closed chan uint32 // each CloseNotification

	conn *dbus.Conn
	caps []string

	mu    sync.Mutex
	last  uint32        // guarded by mu
	stuck chan struct{} // guarded by mu: while open, no Notify is answered
}

// Serve makes the service run on b, with what it says it can do.
func (b *Bus) Serve(t testing.TB, caps ...string) *Service {
	t.Helper()
	return b.ServeAs(t, "fake", caps...)
}

// ServeAs is Serve for a service that calls itself so.
func (b *Bus) ServeAs(t testing.TB, calls string, caps ...string) *Service {
	t.Helper()
	s := &Service{Notes: make(chan Note, 64), Closed: make(chan uint32, 64), conn: b.Dial(t), caps: caps, last: 40}
	err := s.conn.ExportMethodTable(map[string]any{
		"Notify":               s.notify,
		"CloseNotification":    s.close,
		"GetCapabilities":      func() ([]string, *dbus.Error) { return s.caps, nil },
		"GetServerInformation": func() (string, string, string, string, *dbus.Error) { return calls, "test", "1", "1.2", nil },
	}, path, name)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := s.conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || r != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal("the name of the service is taken: ", r, err)
	}
	return s
}

func (s *Service) notify(app string, replaces uint32, icon, title, body string, actions []string, hints map[string]dbus.Variant, expire int32) (uint32, *dbus.Error) {
	s.mu.Lock()
	number := replaces
	if number == 0 {
		s.last++
		number = s.last
	}
	stuck := s.stuck
	s.mu.Unlock()
	s.Notes <- Note{app, replaces, icon, title, body, actions, hints, expire, number}
	if stuck != nil {
		<-stuck
	}
	return number, nil
}

func (s *Service) close(number uint32) *dbus.Error {
	s.Closed <- number
	s.conn.Emit(path, name+".NotificationClosed", number, uint32(3))
	return nil
}

// Tell gives the service a property, and counts how often it is asked for. A value that is
// a channel is told when that is closed.
func (s *Service) Tell(t testing.TB, iface, property string, value any) (asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	get := func(of, name string) (dbus.Variant, *dbus.Error) {
		if of != iface || name != property {
			return dbus.Variant{}, dbus.MakeFailedError(errors.New("no such property"))
		}
		asked.Add(1)
		if hang, ok := value.(<-chan struct{}); ok {
			<-hang
			return dbus.MakeVariant(true), nil
		}
		return dbus.MakeVariant(value), nil
	}
	if err := s.conn.ExportMethodTable(map[string]any{"Get": get}, path, "org.freedesktop.DBus.Properties"); err != nil {
		t.Fatal(err)
	}
	return asked
}

// Configure runs Xfce's store of settings with one that is yes or no.
func (b *Bus) Configure(t testing.TB, channel, property string, yes bool) {
	t.Helper()
	const store = "org.xfce.Xfconf"
	conn := b.Dial(t)
	get := func(of, name string) (dbus.Variant, *dbus.Error) {
		if of != channel || name != property {
			return dbus.Variant{}, dbus.MakeFailedError(errors.New("no such setting"))
		}
		return dbus.MakeVariant(yes), nil
	}
	if err := conn.ExportMethodTable(map[string]any{"GetProperty": get}, "/org/xfce/Xfconf", store); err != nil {
		t.Fatal(err)
	}
	if r, err := conn.RequestName(store, dbus.NameFlagDoNotQueue); err != nil || r != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal("the name of the settings is taken: ", r, err)
	}
}

// Stick keeps the service from answering until the returned function is called.
func (s *Service) Stick() (release func()) {
	c := make(chan struct{})
	s.mu.Lock()
	s.stuck = c
	s.mu.Unlock()
	return sync.OnceFunc(func() {
		s.mu.Lock()
		s.stuck = nil
		s.mu.Unlock()
		close(c)
	})
}

// Press plays the user pressing a button, or the notice itself: "default".
func (s *Service) Press(number uint32, key string) {
	s.conn.Emit(path, name+".ActivationToken", number, "token-1")
	s.conn.Emit(path, name+".ActionInvoked", number, key)
	s.conn.Emit(path, name+".NotificationClosed", number, uint32(2))
}

// Drop plays a notice going off the screen by reason: 1 in time, 2 by the user.
func (s *Service) Drop(number, reason uint32) {
	s.conn.Emit(path, name+".NotificationClosed", number, reason)
}

// Stop ends the service, as a crash would.
func (s *Service) Stop() { s.conn.Close() }

// Next waits for the next Notify.
func (s *Service) Next(t testing.TB) Note {
	t.Helper()
	return Wait(t, s.Notes, "a notice")
}

// None fails if there was a Notify.
func (s *Service) None(t testing.TB) {
	t.Helper()
	select {
	case n := <-s.Notes:
		t.Fatalf("unexpected notice %+v", n)
	default:
	}
}

// Wait takes the next value from c.
func Wait[T any](t testing.TB, c <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(10 * time.Second):
		t.Fatal("waited 10 s for ", what)
	}
	return v
}
