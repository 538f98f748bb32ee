package raw

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// Of a log so much is kept as whoever reads the file anew would see (sources/watch): all
// of one that is new and not large, else its end.
const (
	tail    = 64 << 10
	fresh   = 4 << 20
	maxLogs = 4096
	room    = 64 << 20 // for all files
)

// coalesce is how long after the first write to a log it is read.
const coalesce = 150 * time.Millisecond

// log is a log as far as it is kept.
type log struct {
	lines  []string
	size   int
	unread []engine.Event // what was added since it was told of last
	large  bool           // only its end is kept
	last   time.Time      // when it was written

	first   string              // its first line, which may say whose it is
	read    []sources.Translate // what translates it, for each tree it belongs to
	nobodys bool                // it is a log, and nobody's
}

// begin gets ready to read l from its beginning.
func (l *log) begin(w *World, p place) {
	l.read = nil
	for _, t := range w.trees(p) {
		if !t.Lines() {
			continue
		}
		if translate := t.Translator(p.rel, []byte(l.first)); translate != nil {
			l.read = append(l.read, translate)
		} else {
			l.nobodys = true
		}
	}
}

// line takes in a line that was added to a log. What it says is told a little later,
// together with what else was added, or at once where that is a lot.
func (w *World) line(now time.Time, l *Line) ([]engine.Event, error) {
	c, err := w.cli(l.Tool)
	if err != nil {
		return nil, err
	}
	p := w.locate(c, l.Path)
	read := false
	var added []engine.Event
	known := w.logs[p]
	if known == nil {
		known = &log{first: l.Line}
		known.begin(w, p)
	}
	for _, translate := range known.read {
		read = true
		events, bad := guarded(func() ([]engine.Event, error) { return translate([]byte(l.Line)) })
		err = errors.Join(err, bad)
		added = append(added, w.placed(p, date(own(p, events), l.At))...)
	}
	if !read && !known.nobodys {
		return nil, fmt.Errorf("no log of %s lies at %.200q", c.Title, l.Path)
	}
	w.logs[p] = known
	known.add(w, l.Line, now)
	known.unread = append(known.unread, added...)
	w.dirty[p] = known
	w.unread += len(l.Line)
	if w.window.IsZero() {
		w.window = now.Add(coalesce)
	}
	w.thin()
	if w.unread > fresh {
		return w.readLogs(), err
	}
	return nil, err
}

// date dates what a line says that tells no time.
func date(events []engine.Event, at time.Time) []engine.Event {
	for i := range events {
		if events[i].At.IsZero() {
			events[i].At = at
		}
	}
	return events
}

// placed adds the folder that a session works in, where another file says it.
func (w *World) placed(p place, events []engine.Event) []engine.Event {
	for _, t := range w.trees(p) {
		if t.Root == nil {
			continue
		}
		f := w.files[place{p.tool, p.home, t.Root(p.rel)}]
		for i := range events {
			if f != nil && events[i].Who.Dir == "" {
				events[i].Who.Dir = t.Folder([]byte(f.text))
			}
		}
	}
	return events
}

func (l *log) add(w *World, line string, now time.Time) {
	l.lines, l.size, l.last = append(l.lines, line), l.size+len(line), now
	w.held += len(line)
	if l.size > fresh || l.large && l.size > 2*tail {
		l.cut(w)
	}
}

// cut keeps the end of a log.
func (l *log) cut(w *World) {
	n, size := len(l.lines)-1, len(l.lines[len(l.lines)-1])
	for n > 0 && size+len(l.lines[n-1]) <= tail {
		n--
		size += len(l.lines[n])
	}
	w.held -= l.size - size
	l.lines, l.size, l.large = slices.Clone(l.lines[n:]), size, true
}

// readLogs returns what was added to all logs.
func (w *World) readLogs() (out []engine.Event) {
	w.window, w.unread = time.Time{}, 0
	for _, p := range sortedPlaces(w.dirty) {
		out = append(out, w.dirty[p].unread...)
		w.dirty[p].unread = nil
	}
	clear(w.dirty)
	return append(out, w.readRows()...)
}

// again returns what a log says from the beginning of what is kept of it.
func (w *World) again(p place) (out []engine.Event) {
	l := w.logs[p]
	l.unread = nil
	l.begin(w, p)
	for _, translate := range l.read {
		for _, line := range l.lines {
			events, _ := guarded(func() ([]engine.Event, error) { return translate([]byte(line)) }) // said before
			out = append(out, w.placed(p, own(p, events))...)
		}
	}
	for i := range out { // in their order, as who reads the file anew dates them
		if out[i].At.IsZero() {
			out[i].At = l.last.Add(-time.Duration(len(out)-1-i) * time.Microsecond)
		}
	}
	return out
}

// thin keeps what is remembered within bounds: of the logs that were quiet for longest
// only the end, then nothing, and the same with files.
func (w *World) thin() {
	if w.held <= room && len(w.logs) <= maxLogs && len(w.files) <= maxFiles {
		return
	}
	logs := slices.SortedFunc(maps.Keys(w.logs), func(a, b place) int { return w.logs[a].last.Compare(w.logs[b].last) })
	for _, p := range logs[:max(0, len(logs)-1)] {
		if w.held > room/2 {
			w.logs[p].cut(w)
		}
	}
	for _, p := range logs[:max(0, len(logs)-1)] {
		if l := w.logs[p]; w.dirty[p] == nil && (w.held > room/2 || len(w.logs) > maxLogs*3/4) {
			w.held -= l.size
			delete(w.logs, p)
		}
	}
	files := slices.SortedFunc(maps.Keys(w.files), func(a, b place) int { return w.files[a].last.Compare(w.files[b].last) })
	for _, p := range files {
		if w.held > room/2 || len(w.files) > maxFiles*3/4 {
			w.held -= len(w.files[p].text)
			delete(w.files, p)
		}
	}
}
