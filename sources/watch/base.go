package watch

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// writeAhead is what SQLite adds to the name of a database for what has been written to it
// and is not in it yet.
const writeAhead = "-wal"

// stored is one database. It is not opened here.
type stored struct {
	home    *home
	path    string
	dirty   bool // it was written to since the window opened
	sizes   map[string]int64
	written map[string]time.Time
}

func (s *Source) stored(t *tree, path string) *stored {
	path = strings.TrimSuffix(path, writeAhead)
	b := s.bases[path]
	if b == nil {
		b = &stored{home: t.home, path: path, sizes: map[string]int64{}, written: map[string]time.Time{}}
		s.bases[path] = b
	}
	return b
}

// differs reports whether a file that a look came upon is not what it was at the last one.
func (s *Source) differs(t *tree, f file) bool {
	b := s.stored(t, f.path)
	size, mod := f.info.Size(), f.info.ModTime()
	same := b.sizes[f.path] == size && b.written[f.path].Equal(mod)
	b.sizes[f.path], b.written[f.path] = size, mod
	return !same
}

// touchBase notes that a database was written to.
func (s *Source) touchBase(t *tree, path string) {
	s.stored(t, path).dirty = true
	if s.window.IsZero() {
		s.window = s.now().Add(s.opt.Coalesce)
	}
	s.w.Ignore(path)
}

// tellBases tells of the databases that were written to.
func (s *Source) tellBases() {
	for _, path := range slices.Sorted(maps.Keys(s.bases)) {
		if b := s.bases[path]; b.dirty {
			b.dirty = false
			s.opt.OnBase(b.home.cli.Name, b.home.base, b.path)
		}
	}
}
