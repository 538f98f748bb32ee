package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Change is a path in a wanted folder that is not as it was, or such a folder.
type Change struct {
	Path string
	Made bool // it came, went or was renamed; else it was written to
}

// Forever is the rank of a folder that is watched before all others.
var Forever = time.Unix(1<<40, 0)

// A Watcher watches folders, those too that do not exist yet. Where the system
// watches fewer than wanted, those with the newest rank are watched. One goroutine
// owns a Watcher.
type Watcher struct {
	fs    *fsnotify.Watcher // nil: the system has none left to give
	wg    sync.WaitGroup
	notes *notes
	wants map[string]*want
	below map[string]int      // how many wanted folders lie below a path
	marks map[string]*mark    // folders the system watches, by the path we use
	names map[string][]string // the paths we use, by real path
	limit error               // why a folder could not be watched
	floor time.Time           // no folder is watched that is worth less than this, since none was given up
	pass  int
}

type want struct {
	path string
	rank time.Time
	at   string // the folder watched for it: itself, or an ancestor while it is missing; "": none
	pass int    // when it was last wanted
}

type mark struct {
	real string
	info fs.FileInfo
	refs int
}

// NewWatcher returns a Watcher. If the system has no handle for it, it works, and
// all its folders are to be looked at from time to time.
func NewWatcher() *Watcher { return newWatcher(fsnotify.NewWatcher()) }

func newWatcher(system *fsnotify.Watcher, err error) *Watcher {
	w := &Watcher{
		fs: system, limit: err, notes: newNotes(), wants: map[string]*want{}, below: map[string]int{},
		marks: map[string]*mark{}, names: map[string][]string{},
	}
	if err != nil {
		w.fs = nil
		return w
	}
	w.wg.Go(func() { w.notes.collect(w.fs) })
	return w
}

// Close ends watching.
func (w *Watcher) Close() {
	if w.fs != nil {
		w.fs.Close()
	}
	w.wg.Wait()
}

// Ring holds a token while there is something to [Watcher.Take].
func (w *Watcher) Ring() <-chan struct{} { return w.notes.ring }

// Unwatched tells how many of the wanted folders have to be looked at from time
// to time, of how many, and why.
func (w *Watcher) Unwatched() (n, of int, why error) {
	for _, t := range w.wants {
		if t.at == "" {
			n++
		}
	}
	return n, len(w.wants), w.limit
}

// Want watches the folder from now on. Its path may go through links. It reports
// whether that was not so before: what is in the folder is to be looked at then.
func (w *Watcher) Want(path string, rank time.Time) (fresh bool) {
	t := w.wants[path]
	if t == nil {
		t = &want{path: path}
		w.wants[path] = t
		for _, p := range ancestors(path) {
			w.below[p]++
		}
	}
	t.pass = w.pass
	if rank.After(t.rank) {
		t.rank = rank
	}
	if t.at == "" {
		w.settle(t)
		return t.at == path
	}
	return false
}

// Drop ends wanting a folder.
func (w *Watcher) Drop(path string) {
	t := w.wants[path]
	if t == nil {
		return
	}
	w.unmark(t)
	delete(w.wants, path)
	for _, p := range ancestors(path) {
		if w.below[p]--; w.below[p] == 0 {
			delete(w.below, p)
		}
	}
}

// Renew begins a pass in which everything still wanted is wanted again, and
// [Watcher.DropOld] drops the rest. It finds folders that were exchanged unseen.
func (w *Watcher) Renew() {
	w.pass++
	for path, m := range w.marks {
		if !w.still(path, m) {
			w.exchanged(path)
		}
	}
	for _, t := range w.ranked() {
		if t.at != t.path {
			w.settle(t)
		}
	}
}

// DropOld drops the folders that were not wanted since [Watcher.Renew].
func (w *Watcher) DropOld() {
	for path, t := range w.wants {
		if t.pass != w.pass {
			w.Drop(path)
		}
	}
}

// Take returns what changed since the last call. If lost, reports were dropped
// and everything has to be looked at.
func (w *Watcher) Take() (changes []Change, lost bool, err error) {
	noted, lost, err := w.notes.take()
	for name, op := range noted {
		made := op&(fsnotify.Create|fsnotify.Remove|fsnotify.Rename) != 0
		dir, base := filepath.Split(name)
		for _, path := range w.names[filepath.Clean(dir)] {
			changes = append(changes, Change{filepath.Join(path, base), made})
		}
		for _, path := range w.names[name] {
			changes = append(changes, Change{path, made})
		}
	}
	for _, c := range changes {
		if c.Made && (w.below[c.Path] > 0 || w.wants[c.Path] != nil) {
			changes = append(changes, w.exchanged(c.Path)...)
		}
	}
	return changes, lost, err
}

// Ignore says nothing of further writes to a file, until [Watcher.Heed].
func (w *Watcher) Ignore(path string) {
	dir, base := filepath.Split(path)
	if m := w.marks[filepath.Clean(dir)]; m != nil {
		w.notes.ignore(filepath.Join(m.real, base))
	}
}

// Heed says again what happens to the files that were ignored. What happened to
// them before is to be looked at.
func (w *Watcher) Heed() { w.notes.heed() }

// exchanged looks anew at every wanted folder at or below path.
func (w *Watcher) exchanged(path string) (changes []Change) {
	stale := make(map[string]bool)
	for at, m := range w.marks {
		stale[at] = within(at, path) && !w.still(at, m)
	}
	affected := make(map[*want]bool) // and whether it was there
	for _, t := range w.wants {
		if within(t.path, path) {
			affected[t] = t.at == t.path
			if stale[t.at] {
				w.unmark(t)
			}
		}
	}
	for t, was := range affected {
		w.settle(t)
		if was || t.at == t.path {
			changes = append(changes, Change{t.path, true})
		}
	}
	return changes
}

// still reports whether the path leads to the folder that is watched for it. One
// that was renamed away and back is watched again: the system had stopped to. For
// others asking once more changes nothing and loses nothing.
func (w *Watcher) still(path string, m *mark) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || real != m.real {
		return false
	}
	info, err := os.Stat(real)
	return err == nil && os.SameFile(info, m.info) && w.fs.Add(real) == nil
}

// settle watches t, or the nearest folder above it until it appears.
func (w *Watcher) settle(t *want) {
	for range 16 { // folders may come and go meanwhile
		at := nearest(t.path)
		if at == t.at {
			return
		}
		switch err := w.mark(at, t.rank); {
		case err == nil:
			w.unmark(t)
			if t.at = at; at == t.path {
				w.notes.want(w.marks[at].real, 1)
			}
		case errors.Is(err, fs.ErrNotExist):
		default:
			w.limit = err
			w.unmark(t)
			return
		}
	}
}

func (w *Watcher) mark(path string, rank time.Time) error {
	if m := w.marks[path]; m != nil {
		m.refs++
		return nil
	}
	if w.fs == nil {
		return w.limit
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	for len(w.names[real]) == 0 {
		err := errFull
		if len(w.names) < maxFolders {
			err = w.fs.Add(real)
		}
		if err == nil {
			break
		}
		if !full(err) || !w.yield(rank) {
			return err
		}
	}
	info, err := os.Stat(real)
	if err != nil {
		if len(w.names[real]) == 0 {
			w.fs.Remove(real)
		}
		return err
	}
	w.marks[path] = &mark{real, info, 1}
	w.names[real] = append(w.names[real], path)
	return nil
}

func (w *Watcher) unmark(t *want) {
	m := w.marks[t.at]
	path, own := t.at, t.at == t.path
	t.at = ""
	if m == nil {
		return
	}
	w.floor = time.Time{}
	if own {
		w.notes.want(m.real, -1)
	}
	if m.refs--; m.refs > 0 {
		return
	}
	delete(w.marks, path)
	w.names[m.real] = slices.DeleteFunc(w.names[m.real], func(p string) bool { return p == path })
	if len(w.names[m.real]) == 0 {
		delete(w.names, m.real)
		w.fs.Remove(m.real) // an error says that it is gone already
	}
}

// yield gives up the oldest watched folder for one with a newer rank.
func (w *Watcher) yield(rank time.Time) bool {
	if !rank.After(w.floor) {
		return false
	}
	var oldest *want
	for _, t := range w.wants {
		if t.at == t.path && t.rank.Before(rank) && w.marks[t.at].refs == 1 && (oldest == nil || t.rank.Before(oldest.rank)) {
			oldest = t
		}
	}
	if oldest == nil {
		w.floor = rank
		return false
	}
	w.unmark(oldest)
	w.limit = errFull
	return true
}

func (w *Watcher) ranked() []*want {
	out := make([]*want, 0, len(w.wants))
	for _, t := range w.wants {
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b *want) int { return b.rank.Compare(a.rank) })
	return out
}

// errFull says that no further folder may be watched.
var errFull = errors.New("too many folders")

// nearest is the path, or the closest existing folder above it.
func nearest(path string) string {
	for {
		info, err := os.Stat(path)
		up := filepath.Dir(path)
		if err == nil && info.IsDir() || up == path {
			return path
		}
		path = up
	}
}

func within(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || os.IsPathSeparator(dir[len(dir)-1]))
}

func ancestors(path string) (out []string) {
	for up := filepath.Dir(path); up != path; path, up = up, filepath.Dir(up) {
		out = append(out, up)
	}
	return out
}
