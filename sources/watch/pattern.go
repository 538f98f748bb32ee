package watch

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"deskbell/sources"
)

// pattern is a glob of files below a home, split at its slashes.
type pattern struct {
	parts []string
	asked bool      // it names the files of one live session
	last  time.Time // when that session was last asked about or wrote
	seen  []folder  // where its files are, once one was found
}

// folder is an existing folder that files of a pattern may lie in or below. Its age
// is not known where it was asked for.
type folder struct {
	path  string
	depth int
	mod   time.Time
}

// crowd is how many folders of one level are looked at, the newest first.
const crowd = 4096

func newPattern(glob string) *pattern { return &pattern{parts: strings.Split(glob, "/")} }

// fixed is how many leading parts are plain names of folders.
func (p *pattern) fixed() int {
	n := 0
	for n < len(p.parts)-1 && plain(p.parts[n]) {
		n++
	}
	return n
}

// leaf is the depth of the folders that hold the files.
func (p *pattern) leaf() int { return len(p.parts) - 1 }

// root is the folder below base that every file of the pattern lies below.
func (p *pattern) root(base string) string {
	return filepath.Join(base, filepath.Join(p.parts[:p.fixed()]...))
}

// matches reports whether rel is a file of the pattern or a folder on the way.
func (p *pattern) matches(rel []string) bool {
	if len(rel) > len(p.parts) {
		return false
	}
	for i, name := range rel {
		if ok, _ := path.Match(p.parts[i], name); !ok {
			return false
		}
	}
	return true
}

// folders lists the existing folders of the pattern below and with dir, which is
// at the given depth.
func (p *pattern) folders(dir string, depth int) []folder {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil
	}
	level := []folder{{dir, depth, info.ModTime()}}
	all := slices.Clone(level)
	for ; depth < p.leaf(); depth++ {
		var next []folder
		for _, f := range level {
			next = append(next, p.inside(f)...)
		}
		newest(next)
		level = next[:min(len(next), crowd)]
		all = append(all, level...)
	}
	return all
}

// inside lists the folders one level below f.
func (p *pattern) inside(f folder) (out []folder) {
	p.each(f, func(name string, kind os.FileMode) {
		sub := folder{path: filepath.Join(f.path, name), depth: f.depth + 1}
		if p.asked && kind.IsDir() {
			out = append(out, sub)
		} else if kind&os.ModeSymlink != 0 || kind.IsDir() {
			if info, err := os.Stat(sub.path); err == nil && info.IsDir() {
				sub.mod = info.ModTime()
				out = append(out, sub)
			}
		}
	})
	return out
}

// each goes over the entries of f that fit the pattern. A plain name may be
// anything, or nothing.
func (p *pattern) each(f folder, do func(name string, kind os.FileMode)) {
	part := p.parts[f.depth]
	if plain(part) {
		do(part, os.ModeSymlink)
		return
	}
	entries, _ := os.ReadDir(f.path)
	for _, e := range entries {
		if ok, _ := path.Match(part, e.Name()); ok {
			do(e.Name(), e.Type())
		}
	}
}

// file is a file of a pattern.
type file struct {
	path string
	info os.FileInfo
}

// files lists the files of the pattern that lie directly in f, the newest first.
func (p *pattern) files(f folder) (out []file) {
	p.each(f, func(name string, kind os.FileMode) {
		if !kind.IsRegular() && kind&os.ModeSymlink == 0 {
			return
		}
		full := filepath.Join(f.path, name)
		if info, err := os.Stat(full); err == nil && info.Mode().IsRegular() {
			out = append(out, file{full, info})
		}
	})
	slices.SortFunc(out, func(a, b file) int { return b.info.ModTime().Compare(a.info.ModTime()) })
	return out
}

// newest sorts folders by age, and by name where their age is the same.
func newest(fs []folder) {
	slices.SortFunc(fs, func(a, b folder) int {
		return cmp.Or(b.mod.Compare(a.mod), strings.Compare(b.path, a.path))
	})
}

func plain(part string) bool { return !strings.ContainsAny(part, `*?[\`) }

// real is the real path of what was given as a home.
func real(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return sources.RealPath(path)
}
