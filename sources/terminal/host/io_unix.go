//go:build linux || darwin

package host

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// ready waits until one of the files can be read, or out, if it is none, written to. It
// returns which can be read; none: the time is over. select and not poll: on macOS only
// that knows terminals.
func ready(wait time.Duration, out int, in ...int) (int, bool, error) {
	for {
		var r, w unix.FdSet
		most := out
		for _, fd := range in {
			r.Set(fd)
			most = max(most, fd)
		}
		if out >= 0 {
			w.Set(out)
		}
		var limit *unix.Timeval
		if wait >= 0 {
			t := unix.NsecToTimeval(wait.Nanoseconds())
			limit = &t
		}
		_, err := unix.Select(most+1, &r, &w, nil, limit)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return -1, false, err
		}
		for _, fd := range in {
			if r.IsSet(fd) {
				return fd, false, nil
			}
		}
		return -1, out >= 0 && w.IsSet(out), nil
	}
}

const forever = -1

func read(fd int, to []byte) (int, error) {
	for {
		n, err := unix.Read(fd, to)
		if !errors.Is(err, unix.EINTR) {
			return max(n, 0), err
		}
	}
}

// write writes all of text. Who takes nothing now is waited for, until one of stop can be
// read.
func write(fd int, text []byte, stop ...int) error {
	for len(text) > 0 {
		n, err := unix.Write(fd, text)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			switch over, _, err := ready(forever, fd, stop...); {
			case err != nil:
				return err
			case over >= 0:
				return unix.ECANCELED
			}
		case err != nil:
			return err
		default:
			text = text[n:]
		}
	}
	return nil
}

// lingering is how long what a program printed last takes through the system.
const lingering = 50 * time.Millisecond

// outlet is where what runs in a terminal prints to.
type outlet struct {
	fd, stop int
	over     bool          // stop can be read: what is there now is all there will be
	pause    time.Duration // until it is tried again, while nobody has the terminal open
}

// read waits for output; 0: there is no more.
func (o *outlet) read(room []byte) int {
	for {
		n, err := 0, error(nil)
		for more := 0; n < len(room); n += more { // a system gives but a part of what there is
			if more, err = readNow(o.fd, room[n:]); more == 0 {
				break
			}
		}
		if n > 0 {
			o.pause = 0
			return n
		}
		fd, quiet := -1, errors.Is(err, unix.EAGAIN)
		switch {
		case o.over && !quiet:
			return 0
		case o.over: // others hold it open
			if fd, _, err = ready(lingering, -1, o.fd); fd < 0 {
				return 0
			}
		case quiet:
			fd, _, err = ready(forever, -1, o.fd, o.stop)
		default:
			o.pause = min(max(2*o.pause, lingering), time.Second)
			fd, _, err = ready(o.pause, -1, o.stop)
		}
		if err != nil {
			return 0
		}
		o.over = o.over || fd == o.stop
	}
}
