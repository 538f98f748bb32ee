package notify

import (
	"context"
	"errors"
	"fmt"

	"github.com/godbus/dbus/v5"
)

// find is the service as it runs now, started if the bus knows how to.
func (b *bus) find(ctx context.Context) (*server, error) {
	conn, err := b.connect(ctx)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	s := b.server
	b.mu.Unlock()
	if s != nil {
		return s, nil
	}
	s, err = look(ctx, conn)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.away = true
		return nil, err
	}
	if b.conn != conn {
		return nil, dbus.ErrClosed
	}
	if b.away {
		b.away = false
		post(b.events, Event{Action: appeared})
	}
	b.server, b.popups = s, map[uint32]popup{}
	return s, nil
}

// look asks the bus who the service is, and the service what it can do.
func look(ctx context.Context, conn *dbus.Conn) (*server, error) {
	s := &server{conn: conn, caps: map[string]bool{}}
	owner := func() error {
		return conn.BusObject().CallWithContext(ctx, busName+".GetNameOwner", 0, service).Store(&s.owner)
	}
	if err := owner(); err != nil {
		start := conn.BusObject().CallWithContext(ctx, busName+".StartServiceByName", 0, service, uint32(0)).Err
		if start == nil {
			start = owner()
		}
		if start != nil {
			var answer dbus.Error
			if errors.As(start, &answer) {
				return nil, errNoService
			}
			return nil, fmt.Errorf("session bus: %w", start)
		}
	}
	var caps []string
	if err := s.call(ctx, "GetCapabilities").Store(&caps); err != nil {
		return nil, failedAt{fmt.Errorf("notification service: %w", err)}
	}
	for _, c := range caps {
		s.caps[c] = true
	}
	var vendor, version, spec string
	if err := s.call(ctx, "GetServerInformation").Store(&s.name, &vendor, &version, &spec); err != nil {
		return nil, failedAt{fmt.Errorf("notification service: %w", err)}
	}
	return s, nil
}

// connect opens our own connection to the session bus unless it is open. It
// starts no bus where there is none.
func (b *bus) connect(ctx context.Context) (*dbus.Conn, error) {
	b.mu.Lock()
	conn := b.conn
	b.mu.Unlock()
	if conn != nil && conn.Connected() {
		return conn, nil
	}
	conn, err := dial(ctx)
	if err == nil {
		signals := make(chan *dbus.Signal, 16)
		conn.Signal(signals)
		if err = subscribe(ctx, conn); err == nil {
			b.mu.Lock()
			b.away = b.away || b.conn != nil
			b.conn, b.server, b.popups = conn, nil, nil
			b.mu.Unlock()
			b.listeners.Go(func() { b.listen(conn, signals) })
			return conn, nil
		}
		conn.Close()
	}
	b.mu.Lock()
	b.away = true
	b.mu.Unlock()
	return nil, fmt.Errorf("session bus: %w", err)
}

func dial(ctx context.Context) (*dbus.Conn, error) {
	life, end := context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, end) // the library's own handshake knows no deadline
	conn, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(life), dbus.WithSignalHandler(dbus.NewSequentialSignalHandler()))
	if err == nil {
		if err = conn.Auth(nil); err == nil {
			err = conn.Hello()
		}
	}
	if !stop() {
		err = errors.Join(ctx.Err(), err)
	}
	if err != nil {
		end()
		if conn != nil {
			conn.Close()
		}
		return nil, err
	}
	return conn, nil
}

func subscribe(ctx context.Context, conn *dbus.Conn) error {
	for _, match := range [][]dbus.MatchOption{
		{dbus.WithMatchInterface(service), dbus.WithMatchObjectPath(object)},
		{dbus.WithMatchSender(busName), dbus.WithMatchInterface(busName), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, service)},
	} {
		if err := conn.AddMatchSignalContext(ctx, match...); err != nil {
			return err
		}
	}
	return nil
}

// listen takes in signals until the connection is lost or closed.
func (b *bus) listen(conn *dbus.Conn, signals <-chan *dbus.Signal) {
	for s := range signals {
		b.mu.Lock()
		if b.conn == conn {
			b.signalLocked(s)
		}
		b.mu.Unlock()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn == conn {
		b.server, b.popups, b.away = nil, nil, true
	}
}

func (b *bus) signalLocked(s *dbus.Signal) {
	if s.Name == ownerNew && s.Sender == busName {
		var name, old, owner string
		if dbus.Store(s.Body, &name, &old, &owner) != nil || name != service || b.server != nil && b.server.owner == owner {
			return
		}
		b.server, b.popups, b.away = nil, nil, owner == ""
		if owner != "" {
			post(b.events, Event{Action: appeared})
		}
		return
	}
	if b.server == nil || s.Sender != b.server.owner || len(s.Body) != 2 {
		return
	}
	number, _ := s.Body[0].(uint32)
	p, ours := b.popups[number]
	if !ours {
		if b.asking && len(b.early) < most {
			b.early = append(b.early, s)
		}
		return
	}
	switch s.Name {
	case service + ".ActivationToken":
		p.token, _ = s.Body[1].(string)
		b.popups[number] = p
	case service + ".ActionInvoked":
		p.opened = true
		b.popups[number] = p
		if key, _ := s.Body[1].(string); key != "" {
			post(b.events, Event{ID: p.id, Action: pressed(key), Token: p.token})
		}
	case service + ".NotificationClosed":
		delete(b.popups, number)
		if reason, _ := s.Body[1].(uint32); !p.opened {
			post(b.events, Event{ID: p.id, Action: closed(reason)})
		}
	}
}

// forget lets go of a service that does not answer to its name any more.
func (b *bus) forget(s *server) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.server == s {
		b.server, b.popups, b.away = nil, nil, true
	}
}
