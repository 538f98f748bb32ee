package process

import (
	"errors"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// exits notices the end of processes, children or not, through a file descriptor
// for each that becomes readable. Nothing is polled.
type exits struct {
	gone func(id)
	wg   sync.WaitGroup
	mu   sync.Mutex // guards open
	open map[id]*os.File
}

// newExits fails where the system cannot tell. gone is called from any goroutine.
func newExits(gone func(id)) (*exits, error) {
	fd, err := unix.PidfdOpen(os.Getpid(), unix.O_NONBLOCK)
	if err != nil {
		return nil, err
	}
	unix.Close(fd)
	return &exits{gone: gone, open: map[id]*os.File{}}, nil
}

// watch reports false if the process is gone already, or its pid is somebody else's.
func (e *exits) watch(p id) (alive bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.open[p] != nil {
		return true, nil
	}
	fd, err := unix.PidfdOpen(p.pid, unix.O_NONBLOCK)
	if errors.Is(err, unix.ESRCH) {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	f := os.NewFile(uintptr(fd), "pidfd")
	// Only now is it certain whose end will be told.
	if now, alive := glance(p.pid); !alive || now.Ticks != p.ticks && now.Ticks != 0 {
		f.Close()
		return false, nil
	}
	conn, err := f.SyscallConn()
	if err != nil {
		f.Close()
		return true, err
	}
	e.open[p] = f
	e.wg.Go(func() {
		err := conn.Read(ended)
		e.forget(p)
		if err == nil {
			e.gone(p)
		}
	})
	return true, nil
}

func ended(fd uintptr) bool {
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
		if err != unix.EINTR {
			return n > 0 || err != nil
		}
	}
}

func (e *exits) forget(p id) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if f := e.open[p]; f != nil {
		f.Close()
		delete(e.open, p)
	}
}

// close ends every watch.
func (e *exits) close() {
	e.mu.Lock()
	for _, f := range e.open {
		f.Close()
	}
	e.mu.Unlock()
	e.wg.Wait()
}
