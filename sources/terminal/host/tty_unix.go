//go:build linux || darwin

package host

import (
	"sync"

	"golang.org/x/sys/unix"
)

// screen is the terminal that a hosted one is shown in. While it is taken it does nothing
// by itself: all keys come to us, all output goes out as it is.
type screen struct {
	fd int

	mu    sync.Mutex
	began unix.Termios // guarded by mu; as it was
	raw   unix.Termios // guarded by mu; as we set it
	taken bool         // guarded by mu
}

func newScreen(fd int) (*screen, error) {
	began, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return nil, err
	}
	return &screen{fd: fd, began: *began}, nil
}

// take makes it ours. From the background it would stop us, so there it waits for the
// next SIGCONT.
func (s *screen) take() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken {
		return nil
	}
	now, err := unix.IoctlGetTermios(s.fd, getTermios)
	if err != nil {
		return err
	}
	s.began, s.raw = *now, *now
	t := &s.raw
	t.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	t.Oflag &^= unix.OPOST
	t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	t.Cflag = t.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(s.fd, setTermios, t); err != nil {
		return err
	}
	s.taken = true
	return nil
}

// give gives it back: what we changed is as it was, and what somebody else has changed
// since stays. It may be called at any time, from any goroutine.
func (s *screen) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.taken {
		return
	}
	s.taken = false
	now, err := unix.IoctlGetTermios(s.fd, getTermios)
	if err != nil {
		return // it is gone
	}
	was, raw := &s.began, &s.raw
	now.Iflag = back(now.Iflag, raw.Iflag, was.Iflag)
	now.Oflag = back(now.Oflag, raw.Oflag, was.Oflag)
	now.Lflag = back(now.Lflag, raw.Lflag, was.Lflag)
	now.Cflag = back(now.Cflag, raw.Cflag, was.Cflag)
	for _, i := range []int{unix.VMIN, unix.VTIME} {
		if now.Cc[i] == raw.Cc[i] {
			now.Cc[i] = was.Cc[i]
		}
	}
	_ = unix.IoctlSetTermios(s.fd, setTermios, now)
}

// back undoes in now what told raw from was.
func back[F uint32 | uint64](now, raw, was F) F {
	ours := raw ^ was
	return now&^ours | was&ours
}

// inFront reports whether we are what the terminal listens to.
func (s *screen) inFront() bool {
	group, err := unix.IoctlGetInt(s.fd, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

func (s *screen) size() (*unix.Winsize, error) { return unix.IoctlGetWinsize(s.fd, unix.TIOCGWINSZ) }

func isTerminal(fd int) bool {
	_, err := unix.IoctlGetTermios(fd, getTermios)
	return err == nil
}
