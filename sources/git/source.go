// Package git tells what is checked out in the folders of live sessions, and when that
// changes. It reads git's own files, and runs nothing.
package git

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"deskbell/engine"
	"deskbell/sources"
)

// Source follows the HEAD of each checkout in which a session lives. Follow, Answer,
// Refresh and Retell may be called from any goroutine, and never block.
type Source struct {
	inbox   *sources.Inbox // run by the goroutine of Run
	folders map[string]*folder
	system  *fsnotify.Watcher // nil: the system has none left to give
	emit    func(...engine.Event)
	where   []string // that Tick had followed last
}

// folder is one in which a session lives.
type folder struct {
	head string // the file that is watched for it; "": it is in no checkout
	told bool
	last engine.Checkout
}

// New returns a Source that follows no folder.
func New() *Source { return &Source{inbox: sources.NewInbox(), folders: map[string]*folder{}} }

func (s *Source) String() string { return "git" }

// Follow follows these folders from now on, and no others.
func (s *Source) Follow(dirs []string) {
	dirs = slices.Clone(dirs)
	s.inbox.Put(func() { s.follow(dirs) })
}

// Tick has the checkouts followed in which a session of this machine lives. It is called
// by one goroutine.
func (s *Source) Tick(_ time.Time, _ engine.Step, all engine.Snapshot) (next time.Time) {
	var dirs []string
	for i := range all.Sessions {
		if one := &all.Sessions[i]; one.Status.Live() && one.Peer == "" && one.Dir != "" {
			dirs = append(dirs, one.Dir)
		}
	}
	slices.Sort(dirs)
	if dirs = slices.Compact(dirs); !slices.Equal(dirs, s.where) {
		s.where = dirs
		s.Follow(dirs)
	}
	return time.Time{}
}

// Answer looks at every folder again, if the question is about files.
func (s *Source) Answer(q engine.Question) {
	if q.Ask == engine.AskFiles {
		s.Refresh()
	}
}

// Refresh looks at every folder again.
func (s *Source) Refresh() { s.inbox.Put(func() { s.look(func(*folder) bool { return true }) }) }

// Retell tells again what is known.
func (s *Source) Retell() {
	s.inbox.Put(func() {
		for _, f := range s.folders {
			f.told = false
		}
		s.look(func(*folder) bool { return true })
	})
}

// Sync waits until all that was asked for so far has been done.
func (s *Source) Sync(ctx context.Context) error {
	done := make(chan struct{})
	s.inbox.Put(func() { close(done) })
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Run watches until ctx is done. Where the system watches no more files, folders are
// looked at when that is asked for.
func (s *Source) Run(ctx context.Context, emit func(...engine.Event)) error {
	s.emit = emit
	system, err := fsnotify.NewWatcher()
	var events chan fsnotify.Event
	var errs chan error
	if err == nil {
		s.system, events, errs = system, system.Events, system.Errors
		defer func() { s.system = nil; system.Close() }()
	}
	s.look(func(*folder) bool { return true })
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-s.inbox.Ring():
			for _, do := range s.inbox.Take() {
				do()
			}
		case ev := <-events:
			s.look(func(f *folder) bool { return f.head == ev.Name })
		case <-errs: // reports were dropped, or a watch is gone
			s.look(func(*folder) bool { return true })
		}
	}
}

func (s *Source) follow(dirs []string) {
	for _, dir := range slices.Collect(maps.Keys(s.folders)) {
		if !slices.Contains(dirs, dir) {
			s.leave(dir)
		}
	}
	for _, dir := range dirs {
		if s.folders[dir] == nil && filepath.IsAbs(dir) {
			s.folders[dir] = &folder{}
			s.read(dir)
		}
	}
}

// leave ends following a folder.
func (s *Source) leave(dir string) {
	head := s.folders[dir].head
	delete(s.folders, dir)
	s.unwatch(head)
}

// unwatch ends watching a file, unless a folder is left that needs it.
func (s *Source) unwatch(head string) {
	for _, f := range s.folders {
		if f.head == head {
			return
		}
	}
	if head != "" && s.system != nil {
		_ = s.system.Remove(head) // it may be gone already
	}
}

func (s *Source) look(those func(*folder) bool) {
	for dir, f := range s.folders {
		if those(f) {
			s.read(dir)
		}
	}
}

// read looks at which checkout a folder is in, and what that has.
func (s *Source) read(dir string) {
	f := s.folders[dir]
	if _, err := os.Stat(dir); err != nil {
		return // it was taken away: what was there stays its name
	}
	p, ok := find(dir)
	head := ""
	if ok {
		head = filepath.Join(p.dir, "HEAD")
	}
	if old := f.head; old != head {
		f.head = head
		s.unwatch(old)
	}
	if !ok {
		s.tell(dir, engine.Checkout{})
		return
	}
	// Git puts another HEAD in the place of the old one, and the watch goes with the old:
	// the new one is watched before it is read, and then for all who share it.
	if s.system != nil {
		_ = s.system.Add(head) // without a watch it is looked at now and then
	}
	now := p.checkout()
	for other, o := range s.folders {
		if o.head == head {
			s.tell(other, now)
		}
	}
}

// tell tells what is checked out in a folder, if that is news.
func (s *Source) tell(dir string, now engine.Checkout) {
	f := s.folders[dir]
	if f.told && now == f.last {
		return
	}
	f.told, f.last = true, now
	s.emit(engine.Event{By: engine.Process, Who: engine.Who{Dir: dir}, Fact: now})
}
