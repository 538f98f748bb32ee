package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"deskbell/sources/hooks/client"
)

// note is what the goroutines of receiveNet tell the one that owns the line.
type note struct {
	*caller
	joined bool
	says   *arrived
	wrong  error
}

// receiveNet is receive where the system has no poll: a goroutine for each client.
func (s *Source) receiveNet(ctx context.Context) error {
	// What an earlier run left is in the way; what cannot be removed, Listen tells.
	_ = os.Remove(s.opt.Socket)
	l, err := net.Listen("unix", s.opt.Socket)
	if err != nil {
		return err
	}
	ctx, done := context.WithCancel(ctx)
	notes := make(chan note, crowd)
	refused := make(chan error, 1)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer done()
	wg.Go(func() { <-ctx.Done(); l.Close() })
	wg.Go(func() { refused <- s.admitNet(ctx, l, notes) })
	timer := time.NewTimer(0)
	defer timer.Stop()
	var in line
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-refused:
			if ctx.Err() != nil {
				return nil
			}
			return err
		case <-timer.C:
		case n := <-notes:
			s.take(&in, n)
		}
		for more := true; more; {
			select {
			case n := <-notes:
				s.take(&in, n)
			default:
				more = false
			}
		}
		out, again := in.next(time.Now())
		for _, a := range out {
			s.tell(a)
		}
		timer.Stop()
		if !again.IsZero() {
			timer.Reset(time.Until(again))
		}
	}
}

func (s *Source) take(in *line, n note) {
	switch {
	case n.joined:
		in.callers = append(in.callers, n.caller)
		return
	case n.wrong != nil:
		s.bad(n.wrong)
	}
	in.spoke(n.caller, n.says)
}

// admitNet lets clients in, at most crowd at once. When many are silent the others get
// less time.
func (s *Source) admitNet(ctx context.Context, l net.Listener, notes chan<- note) error {
	seats := make(chan struct{}, crowd)
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		conn, err := l.Accept()
		if err != nil {
			return fmt.Errorf("accept: %w", err)
		}
		who := &caller{since: time.Now()}
		if !handed(ctx, seats, struct{}{}) || !handed(ctx, notes, note{caller: who, joined: true}) {
			conn.Close()
			return ctx.Err()
		}
		wait := patience
		if len(seats) > crowd/2 {
			wait = patience / 4
		}
		wg.Go(func() {
			defer func() { <-seats }()
			stop := context.AfterFunc(ctx, func() { conn.Close() })
			defer stop()
			n := s.read(conn, wait)
			n.caller = who
			handed(ctx, notes, n)
		})
	}
}

// read reads the frame of one client.
func (s *Source) read(conn net.Conn, wait time.Duration) (n note) {
	defer conn.Close()
	if err := conn.SetReadDeadline(time.Now().Add(wait)); err != nil {
		return note{wrong: err}
	}
	var text []byte
	room := make([]byte, 4<<10)
	for {
		got, err := conn.Read(room)
		text = append(text, room[:got]...)
		most, wrong := client.Length(text)
		switch {
		case wrong != nil:
			return note{wrong: wrong}
		case most > 0 && len(text) >= most:
			a, wrong := s.open(text, 0)
			if wrong != nil {
				return note{wrong: wrong}
			}
			return note{says: &a}
		case err == nil:
			continue
		case len(text) == 0: // it only wanted to know whether somebody is here
			return note{}
		case errors.Is(err, io.EOF):
			_, wrong = s.open(text, 0)
			return note{wrong: wrong}
		}
		return note{wrong: errSlow}
	}
}

// handed sends v, unless ctx ends first.
func handed[T any](ctx context.Context, to chan<- T, v T) bool {
	select {
	case to <- v:
		return true
	case <-ctx.Done():
		return false
	}
}
