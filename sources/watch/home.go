package watch

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// home is one folder a CLI keeps its files in.
type home struct {
	cli   *sources.CLI
	given string
	base  string // by real path
	trees []*tree
}

// tree is one kind of file below one home.
type tree struct {
	sources.Tree
	home  *home
	base  bool // its files are databases, or lie beside them
	all   *pattern
	asked map[string]*pattern // by glob
	bad   int                 // files or lines that could not be read
}

// addHome returns nil for a home that is known.
func (s *Source) addHome(cli *sources.CLI, dir string) *home {
	h := &home{cli: cli, given: dir, base: real(dir)}
	for _, other := range s.homes {
		if other.cli == cli && other.base == h.base {
			return nil
		}
	}
	for _, t := range cli.Files {
		h.grow(t, false)
	}
	for _, b := range cli.Bases {
		for _, end := range []string{"", writeAhead} {
			h.grow(sources.Tree{Glob: b.Glob + end}, true)
		}
	}
	s.homes = append(s.homes, h)
	return h
}

func (h *home) grow(t sources.Tree, base bool) {
	if fs.ValidPath(t.Glob) {
		h.trees = append(h.trees, &tree{Tree: t, home: h, base: base, all: newPattern(t.Glob), asked: map[string]*pattern{}})
	}
}

func (t *tree) any() bool { return true }

func (t *tree) large() bool { return !t.small() }

// small reports whether all files of the tree are read, without being asked.
func (t *tree) small() bool { return t.Find == nil }

// lines reports whether the files of the tree are logs.
func (t *tree) lines() bool { return t.Lines() }

func (t *tree) patterns() []*pattern {
	return append([]*pattern{t.all}, slices.Collect(maps.Values(t.asked))...)
}

// rel is path below the home, with slashes.
func (h *home) rel(path string) string {
	rel, err := filepath.Rel(h.base, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// moved reports whether the home is elsewhere by now, because it, or a link on the
// way to it, was made later than we looked.
func (h *home) moved() bool {
	base := real(h.given)
	was := h.base
	h.base = base
	return base != was
}

// own stamps events with the home they came from, and with the real paths of their
// folders. Those met before are in dirs.
func (h *home) own(events []engine.Event, dirs map[string]string) []engine.Event {
	for i := range events {
		w := &events[i].Who
		if w.Home == "" {
			w.Home = h.base
		}
		real, met := dirs[w.Dir]
		if !met {
			real = sources.RealPath(w.Dir)
			dirs[w.Dir] = real
		}
		w.Dir = real
	}
	return events
}

// survey watches the folders of those trees of h, and reads what is to be read
// unasked.
func (s *Source) survey(h *home, those func(*tree) bool) {
	h.moved()
	s.w.Want(h.base, Forever)
	for _, t := range h.trees {
		if !those(t) {
			continue
		}
		for _, p := range t.patterns() {
			s.w.Want(p.root(h.base), Forever)
			s.enter(t, p, false, func() []folder { return s.choose(t, p) })
		}
	}
}

// choose picks the folders worth watching: every one of a small tree, the folders
// of a live session, else the newest and those on the way to them.
func (s *Source) choose(t *tree, p *pattern) []folder {
	p.seen = slices.DeleteFunc(p.seen, func(f folder) bool { _, err := os.Stat(f.path); return err != nil })
	if len(p.seen) > 0 {
		return slices.Clone(p.seen)
	}
	all := p.folders(p.root(t.home.base), p.fixed())
	if p.asked {
		return p.leading(all)
	}
	if t.small() {
		return all
	}
	newest(all)
	few := 0
	keep := make(map[string]bool, len(all))
	recent := s.now().Add(-s.opt.Recent)
	for _, f := range all {
		if few < newestFew || allRecent && f.mod.After(recent) {
			for path := f.path; len(path) > len(t.home.base) && !keep[path]; path = filepath.Dir(path) {
				keep[path] = true
			}
		}
		if f.depth > p.fixed() {
			few++
		}
	}
	return slices.DeleteFunc(all, func(f folder) bool { return !keep[f.path] })
}

// leading returns the folders that lead to a file or were named in so many words.
func (p *pattern) leading(all []folder) []folder {
	keep := make(map[string]bool)
	for _, f := range all {
		named := f.depth > p.fixed() && plain(p.parts[f.depth-1])
		if f.depth == p.leaf() && len(p.files(f)) > 0 {
			named = true
			if !slices.ContainsFunc(p.seen, func(old folder) bool { return old.path == f.path }) {
				p.seen = append(p.seen, f)
			}
		}
		if f.depth == p.fixed() || named {
			for path := f.path; !keep[path]; path = filepath.Dir(path) {
				keep[path] = true
			}
		}
	}
	return slices.DeleteFunc(all, func(f folder) bool { return !keep[f.path] })
}

// enter watches folders and reads the files in them.
func (s *Source) enter(t *tree, p *pattern, fresh bool, list func() []folder) {
	for _, f := range s.follow(p, list) {
		if f.depth != p.leaf() {
			continue
		}
		for _, found := range p.files(f) {
			if t.small() || p.asked || found.info.ModTime().After(s.began.Add(-slack)) {
				s.found(t, found, fresh)
			}
		}
	}
}

// follow watches folders, and lists them again until all of them were watched when
// they were listed: what is made in a folder before it is watched goes unreported.
func (s *Source) follow(p *pattern, list func() []folder) (chosen []folder) {
	for range 16 {
		chosen = list()
		fresh := false
		for _, f := range chosen {
			fresh = s.w.Want(f.path, p.rank(f)) || fresh
		}
		if !fresh {
			break
		}
	}
	return chosen
}

// rank is how much the folder is worth watching.
func (p *pattern) rank(f folder) time.Time {
	if p.asked {
		return p.last
	}
	return f.mod
}

// change looks at what happened to one path.
func (s *Source) change(c Change) {
	for _, h := range s.homes {
		if c.Made && c.Path == h.base && h.moved() {
			s.survey(h, (*tree).any)
			continue
		}
		if !within(c.Path, h.base) {
			continue
		}
		var rel []string
		if c.Path != h.base {
			rel = strings.Split(h.rel(c.Path), "/")
		}
		for _, t := range h.trees {
			s.changeIn(t, rel, c)
		}
	}
}

func (s *Source) changeIn(t *tree, rel []string, c Change) {
	read := false
	for _, p := range t.patterns() {
		switch {
		case !p.matches(rel):
		case len(rel) == len(p.parts):
			p.last = s.now()
			if !read {
				s.touch(t, c.Path, c.Made)
			}
			read = true
		case c.Made:
			s.vanished(t, c.Path)
			s.arrived(t, p, c.Path, len(rel))
		}
	}
}

// arrived looks into a folder that was made or moved here.
func (s *Source) arrived(t *tree, p *pattern, path string, depth int) {
	s.enter(t, p, true, func() []folder {
		all := p.folders(path, depth)
		if p.asked {
			all = p.leading(all)
		}
		return all
	})
}
