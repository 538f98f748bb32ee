package process

import (
	"errors"
	"sync"

	"golang.org/x/sys/windows"
)

// exits notices the end of processes, children or not, by waiting for each.
type exits struct {
	gone func(id)
	stop windows.Handle // an event that ends every wait
	wg   sync.WaitGroup
	mu   sync.Mutex // guards open
	open map[id]bool
}

// newExits fails where the system cannot tell. gone is called from any goroutine.
func newExits(gone func(id)) (*exits, error) {
	stop, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		return nil, err
	}
	return &exits{gone: gone, stop: stop, open: map[id]bool{}}, nil
}

// watch reports false if the process is gone already, or its pid is somebody else's.
func (e *exits) watch(p id) (alive bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.open[p] {
		return true, nil
	}
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(p.pid))
	if errors.Is(err, windows.ERROR_INVALID_PARAMETER) {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	// Only now is it certain whose end will be told.
	if now, alive := glance(p.pid); !alive || now.Ticks != p.ticks && now.Ticks != 0 {
		windows.CloseHandle(h)
		return false, nil
	}
	e.open[p] = true
	e.wg.Go(func() {
		defer windows.CloseHandle(h)
		n, err := windows.WaitForMultipleObjects([]windows.Handle{h, e.stop}, false, windows.INFINITE)
		e.mu.Lock()
		delete(e.open, p)
		e.mu.Unlock()
		if err == nil && n == windows.WAIT_OBJECT_0 {
			e.gone(p)
		}
	})
	return true, nil
}

// close ends every watch.
func (e *exits) close() {
	windows.SetEvent(e.stop)
	e.wg.Wait()
	windows.CloseHandle(e.stop)
}
