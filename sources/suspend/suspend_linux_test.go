package suspend

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"deskbell/engine"
	"deskbell/testdata/bus"
)

// watched runs the source on the system bus of the environment. Each look at the clocks
// gives a value.
func watched(t *testing.T) (looks chan struct{}, ended chan error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	looks, ended = make(chan struct{}, 8), make(chan error, 1)
	go func() {
		ended <- Source{}.Run(ctx, func(events ...engine.Event) {
			if len(events) > 0 {
				t.Errorf("told %v", events)
			}
			looks <- struct{}{}
		})
	}()
	t.Cleanup(cancel)
	return looks, ended
}

func wait[T any](t *testing.T, c <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(10 * time.Second):
		t.Fatal("waited 10 s for ", what)
	}
	return v
}

// TestLogind plays a night on a bus of its own.
func TestLogind(t *testing.T) {
	b := bus.Run(t)
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", b.Addr)
	logind := b.Dial(t)
	if _, err := logind.RequestName(login, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	looks, ended := watched(t)
	for len(looks) == 0 { // a signal that comes before the match is lost
		if err := logind.Emit("/org/freedesktop/login1", manager+"."+preparing, true); err != nil {
			t.Fatal(err)
		}
		select {
		case <-looks:
			looks <- struct{}{}
		case <-time.After(20 * time.Millisecond):
		}
	}
	for len(looks) > 0 {
		<-looks
	}
	_ = logind.Emit("/org/freedesktop/login1", manager+".SessionNew", "1", dbus.ObjectPath("/s"))
	_ = logind.Emit("/org/freedesktop/login1", manager+"."+preparing, false)
	wait(t, looks, "a look when the machine woke")
	b.Stop()
	if err := wait(t, ended, "its end with that of the bus"); !errors.Is(err, errBusLost) {
		t.Errorf("ended with %v", err)
	}
}

// TestNoBus checks that a machine without a system bus costs nothing: no end, no retry.
func TestNoBus(t *testing.T) {
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Source{}.Run(ctx, func(...engine.Event) { t.Error("told something") }) }()
	select {
	case err := <-ended:
		t.Fatalf("ended with %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	cancel()
	if err := wait(t, ended, "its end"); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}
