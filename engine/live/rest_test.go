package live

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"deskbell/engine"
)

// pipes is a listener whose connections never leave the program, so that time in it
// can be made to pass.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { p.once.Do(func() { close(p.done) }); return nil }

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

// TestStreamIsSilentAtRest checks that a follower of a machine at rest is sent
// nothing for ten days, is still connected then, and hears the next change.
func TestStreamIsSilentAtRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLoop(newRoster())
		s := &Server{Loop: l}
		in := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() { l.Run(ctx) })
		wg.Go(func() {
			if err := s.Serve(ctx, in); err != nil {
				t.Error(err)
			}
		})
		server, client := net.Pipe()
		in.conns <- server
		var lines atomic.Int64
		wg.Go(func() {
			for r := bufio.NewScanner(client); r.Scan(); {
				lines.Add(1)
			}
		})
		fmt.Fprint(client, "GET /sessions/live/stream HTTP/1.1\r\nHost: deskbell\r\n\r\n")
		time.Sleep(time.Minute)
		synctest.Wait()
		before := lines.Load()
		if before == 0 {
			t.Error("got no snapshot")
		}
		time.Sleep(240 * time.Hour)
		synctest.Wait()
		if n := lines.Load() - before; n != 0 {
			t.Errorf("got %d lines in ten idle days", n)
		}
		tell(l, "s1", "a", engine.Prompted{})
		synctest.Wait()
		if lines.Load() == before {
			t.Error("got no change after ten idle days")
		}
		cancel()
		wg.Wait()
		if _, err := client.Write([]byte("x")); !errors.Is(err, net.ErrClosed) && err == nil {
			t.Error("the connection is open after the end")
		}
	})
}

// TestTricklingRequest checks that who is slow to say what it wants is cut off.
func TestTricklingRequest(t *testing.T) {
	for name, begin := range map[string]string{
		"header": "GET /sessions/live HTTP/1.1\r\nHost: desk",
		"body":   "POST /sessions/s1/pin HTTP/1.1\r\nHost: deskbell\r\nContent-Length: 100\r\n\r\n{",
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &Server{Loop: NewLoop(newRoster())}
			in := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
			ctx, cancel := context.WithCancel(context.Background())
			var wg sync.WaitGroup
			wg.Go(func() { s.Loop.Run(ctx) })
			wg.Go(func() { s.Serve(ctx, in) })
			server, client := net.Pipe()
			in.conns <- server
			start := time.Now()
			fmt.Fprint(client, begin)
			for r := bufio.NewReader(client); ; {
				if _, err := r.ReadByte(); err != nil {
					break
				}
			}
			if took := time.Since(start); took > saying {
				t.Errorf("%s: it was cut off after %v, want sooner", name, took)
			}
			cancel()
			wg.Wait()
		})
	}
}
