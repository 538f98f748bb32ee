package watch

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"deskbell/engine"
)

const (
	slack   = 100 * time.Millisecond // by which file times lag behind the clock
	lull    = time.Second            // between two full looks that dropped reports force
	quiet   = 24 * time.Hour         // a session that long without a write is not followed any more
	maxLogs = 4096                   // logs whose offsets are kept
	perAsk  = 32                     // logs read for one question and glob, the newest first
	latest  = 16                     // logs read where nobody knows whose is asked for
)

func (s *Source) now() time.Time { return time.Now() }

// changed takes in what the watcher saw.
func (s *Source) changed(changes []Change, lost bool, err error) {
	for _, c := range changes {
		s.change(c)
	}
	s.flush()
	if lost && s.rescan.IsZero() {
		s.rescan = later(s.now(), s.rescanned.Add(lull))
	}
	if err != nil {
		s.say("watcher", fmt.Sprintf("watching files: %v", err))
	}
	s.report()
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// look goes over everything again.
func (s *Source) look() {
	now := s.now()
	s.rescan = time.Time{}
	s.w.Renew()
	for _, h := range s.homes {
		for _, t := range h.trees {
			maps.DeleteFunc(t.asked, func(_ string, p *pattern) bool { return now.Sub(p.last) > quiet })
		}
		s.survey(h, (*tree).any)
	}
	for _, w := range s.wholes {
		s.missed(w)
	}
	s.w.DropOld()
	s.flush()
	s.report()
	s.rescanned = s.now()
}

// report says, once, how many folders are not watched.
func (s *Source) report() {
	if n, of, why := s.w.Unwatched(); n > 0 {
		s.say("unwatched", fmt.Sprintf(
			"%d of %d folders cannot be watched (%v); they are looked at once a minute while an agent works", n, of, why))
	}
}

// found looks at a file that a look came upon; fresh: it has just been made.
func (s *Source) found(t *tree, f file, fresh bool) {
	if t.base && !s.differs(t, f) {
		return
	}
	if l := s.logs[f.path]; l != nil && l.tail.info != nil &&
		l.tail.info.Size() == f.info.Size() && l.tail.info.ModTime().Equal(f.info.ModTime()) {
		return
	}
	s.touch(t, f.path, fresh)
}

// touch reads a file that was written, or notes that it is to be read.
func (s *Source) touch(t *tree, path string, fresh bool) {
	switch {
	case t.base:
		s.touchBase(t, path)
	case !t.lines() && t.Read != nil:
		s.readWhole(s.whole(t, path))
	case t.lines():
		if s.window.IsZero() {
			s.window = s.now().Add(s.opt.Coalesce)
		}
		l := s.log(t, path)
		l.tail.New = l.tail.New || fresh
		s.dirty[path] = l
		s.w.Ignore(path)
	}
}

// vanished tells of the files that are not in a folder any more.
func (s *Source) vanished(t *tree, dir string) {
	for _, w := range s.wholes {
		if w.tree == t && within(w.path, dir) {
			s.missed(w)
		}
	}
}

// missed tells of a file if it is gone.
func (s *Source) missed(w *whole) {
	if _, err := os.Stat(w.path); err != nil {
		s.readWhole(w)
	}
}

// record reads the logs of one session, from near their ends, and follows them.
func (s *Source) record(who engine.Who) {
	for _, h := range s.homesOf(who) {
		for _, t := range h.trees {
			if !t.lines() && t.small() {
				continue
			}
			for _, p := range s.asked(t, who) {
				for _, f := range s.watchAsked(t, p) {
					s.again(t, f.path)
				}
			}
		}
	}
	s.flush()
	s.report()
}

// records reads the logs that were written last, from near their ends, of those that say
// themselves whose they are.
func (s *Source) records(who engine.Who) {
	for _, h := range s.homesOf(who) {
		for _, t := range h.trees {
			if t.Begin == nil {
				continue
			}
			var files []file
			for _, f := range s.choose(t, t.all) {
				if f.depth == t.all.leaf() {
					files = append(files, t.all.files(f)...)
				}
			}
			slices.SortStableFunc(files, func(a, b file) int { return b.info.ModTime().Compare(a.info.ModTime()) })
			for _, f := range files[:min(len(files), latest)] {
				s.again(t, f.path)
			}
		}
	}
	s.flush()
}

// retell reads everything as if for the first time.
func (s *Source) retell() {
	for _, path := range slices.Sorted(maps.Keys(s.wholes)) {
		if w := s.wholes[path]; w.known {
			w.read = false
			s.readWhole(w)
		}
	}
	s.flush()
	for _, h := range s.homes {
		for _, t := range h.trees {
			if !t.lines() {
				continue
			}
			for _, glob := range slices.Sorted(maps.Keys(t.asked)) {
				for _, f := range s.watchAsked(t, t.asked[glob]) {
					s.again(t, f.path)
				}
			}
		}
	}
	s.report()
}

// settings tells what hooks in somebody's settings may do for him.
func (s *Source) settings(who engine.Who) {
	for _, h := range s.homesOf(who) {
		if h.cli.Answers == nil {
			continue
		}
		s.out = append(s.out, engine.Event{By: engine.Listing, Who: who, Fact: h.cli.Answers(h.base, who.Dir, settings)})
		break
	}
	s.flush()
}

// again reads a file as if for the first time.
func (s *Source) again(t *tree, path string) {
	if t.lines() {
		l := s.log(t, path)
		l.tail, l.calls, l.translate = Tail{New: l.tail.New}, nil, nil
		s.readLog(l) // if it is dirty it stays so: further writes are not reported until it is read again
	} else if t.Read != nil {
		w := s.whole(t, path)
		w.read = false
		s.readWhole(w)
	}
}

// asked returns the patterns of who's files, and remembers them.
func (s *Source) asked(t *tree, who engine.Who) (out []*pattern) {
	if t.Find == nil {
		t.all.last = s.now()
		return []*pattern{t.all}
	}
	for _, glob := range t.Find(who) {
		if !fs.ValidPath(glob) {
			continue
		}
		p := t.asked[glob]
		if p == nil {
			p = newPattern(glob)
			p.asked = true
			t.asked[glob] = p
		}
		p.last = s.now()
		out = append(out, p)
	}
	return out
}

// watchAsked watches the folders of a pattern and lists its files.
func (s *Source) watchAsked(t *tree, p *pattern) (out []file) {
	s.w.Want(p.root(t.home.base), p.last)
	p.seen = nil
	for _, f := range s.follow(p, func() []folder { return s.choose(t, p) }) {
		if f.depth == p.leaf() {
			files := p.files(f)
			out = append(out, files[:min(len(files), perAsk)]...)
		}
	}
	return out
}

// homesOf returns the home who names, or else every home of its tool.
func (s *Source) homesOf(who engine.Who) (out []*home) {
	base := ""
	if who.Home != "" {
		base = real(who.Home)
	}
	for _, h := range s.homes {
		if who.Tool != "" && h.cli.Name != who.Tool {
			continue
		}
		if h.base == base {
			return []*home{h}
		}
		out = append(out, h)
	}
	return out
}
