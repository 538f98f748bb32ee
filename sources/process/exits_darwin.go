package process

import (
	"errors"
	"sync"

	"golang.org/x/sys/unix"
)

// exits notices the end of processes, children or not, through one kqueue.
type exits struct {
	gone func(id)
	kq   int
	wg   sync.WaitGroup
	mu   sync.Mutex // guards open
	open map[int]id
}

// stop is the identifier of the event that ends waiting.
const stop = 1

// newExits fails where the system cannot tell. gone is called from any goroutine.
func newExits(gone func(id)) (*exits, error) {
	kq, err := unix.Kqueue()
	if err != nil {
		return nil, err
	}
	unix.CloseOnExec(kq)
	e := &exits{gone: gone, kq: kq, open: map[int]id{}}
	if err := e.change(stop, unix.EVFILT_USER, unix.EV_ADD|unix.EV_CLEAR, 0); err != nil {
		unix.Close(kq)
		return nil, err
	}
	e.wg.Go(e.wait)
	return e, nil
}

func (e *exits) change(ident int, filter, flags int, notes uint32) error {
	var ev unix.Kevent_t
	unix.SetKevent(&ev, ident, filter, flags)
	ev.Fflags = notes
	_, err := unix.Kevent(e.kq, []unix.Kevent_t{ev}, nil, nil)
	return err
}

func (e *exits) wait() {
	events := make([]unix.Kevent_t, 16)
	for {
		n, err := unix.Kevent(e.kq, nil, events, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return
		}
		for _, ev := range events[:n] {
			if ev.Filter == unix.EVFILT_USER {
				return
			}
			e.mu.Lock()
			p, ok := e.open[int(ev.Ident)]
			delete(e.open, int(ev.Ident))
			e.mu.Unlock()
			if ok {
				e.gone(p)
			}
		}
	}
}

// watch reports false if the process is gone already, or its pid is somebody else's.
func (e *exits) watch(p id) (alive bool, err error) {
	e.mu.Lock()
	old, was := e.open[p.pid]
	e.open[p.pid] = p
	e.mu.Unlock()
	if was && old == p {
		return true, nil
	}
	err = e.change(p.pid, unix.EVFILT_PROC, unix.EV_ADD|unix.EV_ONESHOT, unix.NOTE_EXIT)
	// Only now is it certain whose end will be told.
	now, alive := glance(p.pid)
	if !alive || now.Ticks != p.ticks && now.Ticks != 0 || errors.Is(err, unix.ESRCH) {
		alive, err = false, nil
	}
	if !alive || err != nil {
		e.mu.Lock()
		delete(e.open, p.pid)
		e.mu.Unlock()
	}
	return alive, err
}

// close ends every watch.
func (e *exits) close() {
	e.change(stop, unix.EVFILT_USER, 0, unix.NOTE_TRIGGER)
	e.wg.Wait()
	unix.Close(e.kq)
}
