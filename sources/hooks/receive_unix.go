//go:build linux || darwin

package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"deskbell/sources/hooks/client"

	"golang.org/x/sys/unix"
)

const (
	atOnce   = 64                     // clients let in before what they say is told
	breather = 100 * time.Millisecond // after the system had no room for one more client
)

// desk is where clients are received. One goroutine does it all: that is what keeps
// the order, and at 20 000 a second there is no time for more.
type desk struct {
	*Source
	socket int
	stop   int // becomes readable when it is time to go
	line   line
	slow   []*guest
	shut   time.Time // until then nobody is let in
	room   []byte
	fds    []unix.PollFd
}

// guest is a client whose frame is not complete.
type guest struct {
	*caller
	fd, pid int
	text    []byte
}

func (s *Source) receive(ctx context.Context) error {
	socket, err := listen(s.opt.Socket)
	if err != nil {
		return err
	}
	defer os.Remove(s.opt.Socket)
	defer unix.Close(socket)
	var pipe [2]int
	if err := unix.Pipe(pipe[:]); err != nil {
		return fmt.Errorf("pipe: %w", err)
	}
	unix.CloseOnExec(pipe[0])
	unix.CloseOnExec(pipe[1])
	defer unix.Close(pipe[0])
	ctx, done := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer done()
	wg.Go(func() { <-ctx.Done(); unix.Close(pipe[1]) })
	d := &desk{Source: s, socket: socket, stop: pipe[0], room: make([]byte, 128<<10)}
	defer d.close()
	return d.run(ctx)
}

func (d *desk) run(ctx context.Context) error {
	var again time.Time
	for {
		if err := d.wait(again); err != nil {
			return fmt.Errorf("poll: %w", err)
		}
		if ctx.Err() != nil {
			return nil
		}
		more, err := d.admit()
		if err != nil {
			return err
		}
		d.hear()
		now := time.Now()
		var out []arrived
		out, again = d.line.next(now)
		for _, a := range out {
			d.tell(a)
		}
		switch {
		case more:
			again = now
		case len(d.slow) > 0:
			again = sooner(again, d.slow[0].since.Add(patience))
		}
		if d.shut.After(now) {
			again = sooner(again, d.shut)
		}
	}
}

// wait waits until there is something to do. At rest that is for a client.
func (d *desk) wait(again time.Time) error {
	d.fds = append(d.fds[:0], unix.PollFd{Fd: int32(d.stop), Events: unix.POLLIN})
	if !d.shut.After(time.Now()) {
		d.fds = append(d.fds, unix.PollFd{Fd: int32(d.socket), Events: unix.POLLIN})
	}
	for _, g := range d.slow {
		d.fds = append(d.fds, unix.PollFd{Fd: int32(g.fd), Events: unix.POLLIN})
	}
	ms := -1
	if !again.IsZero() {
		ms = int(max(0, (time.Until(again)+time.Millisecond-1)/time.Millisecond))
	}
	if _, err := unix.Poll(d.fds, ms); err != nil && !errors.Is(err, unix.EINTR) {
		return err
	}
	return nil
}

// admit lets clients in, in the order in which they called. Nearly all have sent their
// frame by then. more: there may be others.
func (d *desk) admit() (more bool, err error) {
	now := time.Now()
	if d.shut.After(now) {
		return false, nil
	}
	for range atOnce {
		fd, err := accept(d.socket)
		switch {
		case errors.Is(err, unix.EAGAIN):
			return false, nil
		case errors.Is(err, unix.EINTR), errors.Is(err, unix.ECONNABORTED):
			continue
		case errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE), errors.Is(err, unix.ENOBUFS), errors.Is(err, unix.ENOMEM):
			d.say("room", "hooks: "+err.Error()+": some events are missed")
			d.shut = now.Add(breather)
			return false, nil
		case err != nil:
			return false, fmt.Errorf("accept: %w", err)
		}
		d.greet(fd, now)
	}
	return true, nil
}

func (d *desk) greet(fd int, now time.Time) {
	uid, pid, err := peer(fd)
	if err != nil || uid != os.Getuid() {
		_ = unix.Close(fd)
		d.strange(uid)
		return
	}
	g := &guest{fd: fd, pid: pid, caller: d.line.join(now)}
	if d.listen(g) {
		return
	}
	if len(d.slow) >= crowd {
		d.giveUp(d.slow[0])
		d.slow = slices.Delete(d.slow, 0, 1)
	}
	d.slow = append(d.slow, g)
}

// hear listens to those who had not finished. It comes after admit, and asks all of
// them: of whoever called once more since, the first frame is there by then.
func (d *desk) hear() {
	now := time.Now()
	n := 0
	for _, g := range d.slow {
		switch {
		case d.listen(g):
		case now.Sub(g.since) >= patience:
			d.giveUp(g)
		default:
			d.slow[n] = g
			n++
		}
	}
	clear(d.slow[n:]) // what they sent is done with
	d.slow = d.slow[:n]
}

// listen reads what g has sent, and reports whether g is done with.
func (d *desk) listen(g *guest) bool {
	for {
		n, err := unix.Read(g.fd, d.room)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if errors.Is(err, unix.EAGAIN) {
			return false
		}
		if n > 0 {
			g.text = append(g.text, d.room[:n]...)
		}
		most, wrong := client.Length(g.text)
		switch {
		case wrong != nil:
		case err == nil && n > 0 && (most == 0 || len(g.text) < most):
			continue
		case len(g.text) == 0: // it only wanted to know whether somebody is here
			d.leave(g, nil)
			return true
		}
		a, wrong := d.open(g.text, g.pid)
		if wrong != nil {
			d.bad(wrong)
			d.leave(g, nil)
			return true
		}
		d.leave(g, &a)
		return true
	}
}

func (d *desk) giveUp(g *guest) {
	if len(g.text) > 0 {
		d.bad(errSlow)
	}
	d.leave(g, nil)
}

func (d *desk) leave(g *guest, a *arrived) {
	_ = unix.Close(g.fd)
	d.line.spoke(g.caller, a)
}

func (d *desk) close() {
	for _, g := range d.slow {
		_ = unix.Close(g.fd)
	}
}

func sooner(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}
