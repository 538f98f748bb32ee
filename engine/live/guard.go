package live

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"syscall"
)

const (
	crowd = 64 // connections that are served at once
	told  = 16 // connections more that are told why they are not; others are closed
)

// guard lets in our own user, and not too many at once. Whom it turns away it lets
// in as far as to be told why.
type guard struct {
	net.Listener
	inside atomic.Int32
}

// caller is a connection of the guard.
type caller struct {
	net.Conn
	refusal error // nil: it is served
	inside  *atomic.Int32
	left    atomic.Bool
}

// Accept returns the next connection.
func (g *guard) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		one := &caller{Conn: c, inside: &g.inside}
		n := g.inside.Add(1)
		switch {
		case n > crowd+told:
			_ = one.Close() // it may not even ask
			continue
		case !ours(c):
			one.refusal = refuse(http.StatusForbidden, "this socket belongs to another user: start a deskbell of your own")
		case n > crowd:
			one.refusal = refuse(http.StatusServiceUnavailable, "%d programs are connected to deskbell already: close one of them", crowd)
		}
		return one, nil
	}
}

// Close closes the connection and makes room.
func (c *caller) Close() error {
	if c.left.CompareAndSwap(false, true) {
		c.inside.Add(-1)
	}
	return c.Conn.Close()
}

// ours tells whether our own user is at the other end. Where the system does not
// say, the modes of the socket and its folder have to do.
func ours(c net.Conn) bool {
	s, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return false
	}
	uid, err := peer(raw)
	return errors.Is(err, errors.ErrUnsupported) || err == nil && uid == os.Getuid()
}

type refusalKey struct{}

// badge notes on the requests of a connection that the guard turned it away.
func badge(ctx context.Context, c net.Conn) context.Context {
	if one, ok := c.(*caller); ok && one.refusal != nil {
		return context.WithValue(ctx, refusalKey{}, one.refusal)
	}
	return ctx
}

// guarded answers those who were turned away, and passes on the others.
func guarded(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err, ok := r.Context().Value(refusalKey{}).(error)
		if !ok {
			h.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Connection", "close")
		status, says := verdict(err)
		reply(w, status, refused{Error: says})
	})
}
