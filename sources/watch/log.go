package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// maxCalls is how many open calls of one log are kept in mind.
const maxCalls = 512

// log is a file that is followed. It is open only while it is read.
type log struct {
	tree  *tree
	path  string
	tail  Tail
	last  time.Time               // when it was last read
	calls map[string]engine.Event // the calls it left open, by id

	head      string            // its first line, where that says whose it is
	translate sources.Translate // nil: it has not been read, or is nobody's
}

func (s *Source) log(t *tree, path string) *log {
	l := s.logs[path]
	if l == nil {
		s.thin()
		l = &log{tree: t, path: path}
		s.logs[path] = l
	}
	return l
}

// thin forgets the logs that were quiet for longest.
func (s *Source) thin() {
	if len(s.logs) < maxLogs {
		return
	}
	all := slices.SortedFunc(maps.Values(s.logs), func(a, b *log) int { return a.last.Compare(b.last) })
	for _, l := range all[:len(all)/4] {
		delete(s.logs, l.path)
	}
}

// readLogs reads every log that was written to since the window opened, and tells of the
// databases that were.
func (s *Source) readLogs() {
	s.w.Heed()
	s.tellBases()
	for _, path := range slices.Sorted(maps.Keys(s.dirty)) {
		s.readLog(s.dirty[path])
	}
	clear(s.dirty)
}

// readLog hands over what was added to a log, as one batch.
func (s *Source) readLog(l *log) {
	l.last = s.now()
	f, _, err := open(l.path)
	if err != nil {
		delete(s.logs, l.path)
		if !errors.Is(err, fs.ErrNotExist) {
			s.bad(l.tree, l.tree.home.rel(l.path), err)
		}
		return
	}
	defer f.Close()
	rel := l.tree.home.rel(l.path)
	if err := l.open(f, rel, s.buf); err != nil {
		s.bad(l.tree, rel, err)
		return
	}
	long, dirs := l.tail.Long, map[string]string{}
	before := len(s.out)
	over, err := l.tail.Read(f, s.buf, func(line []byte) {
		if l.translate == nil {
			return
		}
		events, err := l.translate(line)
		if err != nil {
			s.bad(l.tree, rel, err)
		}
		s.out = append(s.out, l.tree.home.own(events, dirs)...)
	})
	l.tree.place(rel, s.out[before:])
	date(s.out[before:], l.tail.info.ModTime())
	if err == nil && l.tail.Long > long {
		err = fmt.Errorf("a line of more than %d MB was skipped", longest>>20)
	}
	if err != nil {
		s.bad(l.tree, rel, err)
	}
	s.out = append(s.out, l.settle(s.out, over, l.tail.info)...)
	s.flush()
}

// date dates what lines say that tell no time: the last of them was written when the file
// was, and the others before it.
func date(events []engine.Event, mod time.Time) {
	for i := range events {
		if events[i].At.IsZero() {
			events[i].At = mod.Add(-time.Duration(len(events)-1-i) * time.Microsecond)
		}
	}
}

// place adds the folder that a session works in, where another file says it.
func (t *tree) place(rel string, events []engine.Event) {
	if t.Root == nil || len(events) == 0 {
		return
	}
	name := t.Root(rel)
	if !fs.ValidPath(name) {
		return
	}
	text, err := settings(filepath.Join(t.home.base, filepath.FromSlash(name)))
	dir := sources.RealPath(t.Folder(text))
	for i := range events {
		if err == nil && events[i].Who.Dir == "" && filepath.IsAbs(dir) {
			events[i].Who.Dir = dir
		}
	}
}

// open gets what translates the lines, from the first of them where that says whose they
// are. It is read each time: the file may have been replaced.
func (l *log) open(f Log, rel string, buf []byte) (err error) {
	head := ""
	if l.tree.Begin != nil {
		head, err = firstLine(f, buf)
	}
	if l.translate == nil || head != l.head {
		l.head, l.translate = head, l.tree.Translator(rel, []byte(head))
	}
	return err
}

// settle keeps track of the calls the log left open. Where a log was rewritten,
// those it does not tell of any more are closed.
func (l *log) settle(events []engine.Event, over bool, info fs.FileInfo) (closed []engine.Event) {
	before := l.calls
	if over || l.calls == nil {
		l.calls = make(map[string]engine.Event)
	}
	for _, ev := range events {
		switch f := ev.Fact.(type) {
		case engine.CallOpened:
			if len(l.calls) < maxCalls {
				ev.Fact = engine.CallOpened{Call: f.Call, Agent: f.Agent}
				l.calls[f.Call] = ev
			}
		case engine.CallClosed:
			delete(l.calls, f.Call)
		case engine.Finished:
			maps.DeleteFunc(l.calls, func(_ string, ev engine.Event) bool { return ev.Fact.(engine.CallOpened).Agent == f.Agent })
		}
	}
	if !over {
		return nil
	}
	for _, call := range slices.Sorted(maps.Keys(before)) {
		if _, still := l.calls[call]; !still {
			ev := before[call]
			agent := ev.Fact.(engine.CallOpened).Agent
			closed = append(closed, engine.Event{At: info.ModTime(), By: ev.By, Who: ev.Who, Fact: engine.CallClosed{Call: call, Agent: agent}})
		}
	}
	return closed
}
