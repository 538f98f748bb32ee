package watch

import (
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// notes collects what the system reports about watched folders, so that its own
// queue never fills up while we read files. A path is noted once.
type notes struct {
	ring  chan struct{} // holds a token while there is something to take
	mu    sync.Mutex    // guards the rest
	paths map[string]fsnotify.Op
	spare map[string]fsnotify.Op
	known map[string]bool // paths that are going to be looked at: more writes say nothing new
	wants map[string]int  // folders of which writes count, and for how many; of others only what comes and goes
	lost  bool            // reports were dropped
	err   error
}

func newNotes() *notes {
	return &notes{
		ring: make(chan struct{}, 1), known: map[string]bool{}, wants: map[string]int{},
		paths: map[string]fsnotify.Op{}, spare: map[string]fsnotify.Op{},
	}
}

// A log that is written all the time would wake us up for each line. The system
// makes one report of many as long as nobody takes them, so we are slow to take
// them where they say nothing new.
const (
	nap   = 20 * time.Millisecond
	burst = 200 * time.Microsecond // reports that come this close came together
)

// collect runs until the watcher is closed.
func (n *notes) collect(w *fsnotify.Watcher) {
	var last time.Time
	for {
		select {
		case ev, ok := <-w.Events:
			if !ok {
				return
			}
			if ev.Op&^fsnotify.Chmod == 0 || ev.Name == "" {
				continue
			}
			if !n.note(ev.Name, ev.Op) && time.Since(last) > burst {
				time.Sleep(nap)
			}
			last = time.Now()
		case err, ok := <-w.Errors:
			if !ok {
				return
			}
			n.fail(err)
		}
	}
}

// note reports whether it was something new.
func (n *notes) note(path string, op fsnotify.Op) bool {
	n.mu.Lock()
	written := op&^(fsnotify.Write|fsnotify.Chmod) == 0
	old := written && (n.known[path] || n.wants[filepath.Dir(path)] == 0)
	if !old {
		n.paths[path] |= op
	}
	n.mu.Unlock()
	if !old {
		n.wake()
	}
	return !old
}

// want counts the writes in a folder, or ends that.
func (n *notes) want(dir string, change int) {
	n.mu.Lock()
	if n.wants[dir] += change; n.wants[dir] == 0 {
		delete(n.wants, dir)
	}
	n.mu.Unlock()
}

// ignore passes over writes to path from now on. Nobody is woken up for them.
func (n *notes) ignore(path string) {
	n.mu.Lock()
	n.known[path] = true
	n.mu.Unlock()
}

// heed ends what ignore began, for every path.
func (n *notes) heed() {
	n.mu.Lock()
	clear(n.known)
	n.mu.Unlock()
}

func (n *notes) fail(err error) {
	n.mu.Lock()
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		n.lost = true
	} else {
		n.err = err
	}
	n.mu.Unlock()
	n.wake()
}

func (n *notes) wake() {
	select {
	case n.ring <- struct{}{}:
	default:
	}
}

// take returns what was noted since the last call. The map is good until the next.
func (n *notes) take() (paths map[string]fsnotify.Op, lost bool, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	paths, n.paths = n.paths, n.spare
	n.spare = paths
	clear(n.paths)
	lost, err = n.lost, n.err
	n.lost, n.err = false, nil
	return paths, lost, err
}
