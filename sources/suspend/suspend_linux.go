package suspend

import (
	"context"
	"errors"
	"fmt"

	"github.com/godbus/dbus/v5"
)

const (
	login     = "org.freedesktop.login1"
	manager   = login + ".Manager"
	preparing = "PrepareForSleep"
)

var errBusLost = errors.New("the system bus closed the connection")

// follow calls tick when logind says that the machine is about to sleep, and has woken,
// over a connection of our own to the system bus.
func follow(ctx context.Context, tick func()) error {
	own, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	stop := context.AfterFunc(ctx, end) // a bus that does not answer must not hold us up
	defer stop()
	conn, err := dbus.ConnectSystemBus(dbus.WithContext(own))
	if err != nil {
		<-ctx.Done() // a machine without a system bus has no logind either
		return context.Cause(ctx)
	}
	defer conn.Close()
	if err := conn.AddMatchSignalContext(ctx, dbus.WithMatchInterface(manager), dbus.WithMatchMember(preparing)); err != nil {
		return fmt.Errorf("logind: %w", err)
	}
	signals := make(chan *dbus.Signal, 8)
	conn.Signal(signals)
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case s, ok := <-signals:
			if !ok {
				return errBusLost
			}
			if s.Name == manager+"."+preparing {
				tick()
			}
		}
	}
}
