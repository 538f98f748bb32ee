package terminal

import (
	"context"
	"fmt"
	"path"

	"github.com/godbus/dbus/v5"
)

// findKonsole asks konsole on the session bus. From KDE Gear 24 on it answers only where
// its settings allow that.
func findKonsole(ctx context.Context, _ *Terminals, p Pane) (spot, error) {
	service := p.variable("KONSOLE_DBUS_SERVICE")
	session, window := p.variable("KONSOLE_DBUS_SESSION"), p.variable("KONSOLE_DBUS_WINDOW")
	if !dbus.ObjectPath(session).IsValid() || !dbus.ObjectPath(window).IsValid() {
		return spot{}, blocked("its konsole does not say which tab it is: go there yourself")
	}
	var shell, shown int32
	err := konsole(ctx, service, func(ask asking) error {
		if err := ask(session, "Session.processId", &shell); err != nil {
			return err
		}
		return ask(window, "Window.currentSession", &shown)
	})
	if err != nil {
		return spot{}, fmt.Errorf("its konsole does not answer, go there yourself: %w", err)
	}
	if !p.under(int(shell)) {
		return spot{}, blocked("its tab is none of konsole's any more: look for the session yourself")
	}
	id := number(path.Base(session))
	inner := p
	inner.told = true
	bring := func(ctx context.Context) (*Pane, error) {
		return &inner, konsole(ctx, service, func(ask asking) error {
			var has []string
			if err := ask(window, "Window.sessionList", &has); err != nil {
				return err
			}
			for _, one := range has {
				if number(one) == id {
					return ask(window, "Window.setCurrentSession", nil, int32(id))
				}
			}
			return blocked("its tab was moved to another window of konsole: look for it yourself")
		})
	}
	return spot{shown: int(shown) == id, viewers: []Pane{inner}, bring: bring}, nil
}

// asking calls a method of konsole's on an object.
type asking func(object, method string, into any, args ...any) error

// konsole runs do on a connection of its own: the shared one belongs to the tray's
// library. No konsole is started.
func konsole(ctx context.Context, service string, do func(asking) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	bus, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if err != nil {
		return err
	}
	defer bus.Close()
	return do(func(object, method string, into any, args ...any) error {
		call := bus.Object(service, dbus.ObjectPath(object)).CallWithContext(ctx, "org.kde.konsole."+method, dbus.FlagNoAutoStart, args...)
		if into == nil {
			return call.Err
		}
		return call.Store(into)
	})
}
