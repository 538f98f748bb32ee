package config

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Dir is a folder and all below it. Its names may be patterns.
type Dir struct {
	Text   string     // as it was written
	places [][]string // the patterns by name; more than one where there are links on the way
}

// Has reports whether dir, an absolute path, is the folder or below it.
func (d *Dir) Has(dir string) bool {
	names := split(dir)
	return slices.ContainsFunc(d.places, func(place []string) bool {
		if len(names) < len(place) {
			return false
		}
		for i, pattern := range place {
			if ok, _ := path.Match(pattern, names[i]); !ok { // its form was checked as it was read
				return false
			}
		}
		return true
	})
}

// rule is one that changes nothing.
func (n *Notify) rule() Rule { return Rule{Kinds: n.Kinds, MinTurn: n.MinTurn, Details: n.Details} }

// split returns the names of the folders on a path, in a form in which they compare.
func split(dir string) []string {
	dir = fold(filepath.ToSlash(filepath.Clean(dir)))
	return strings.FieldsFunc(dir, func(r rune) bool { return r == '/' })
}

// pattern is the kind of a [Dir].
type pattern struct{}

func (pattern) wants() string { return `a folder such as "~/work" or "~/code/*-infra"` }

func (p pattern) read(v value, w *World) (Dir, error) {
	dir, err := folder{}.read(v, w)
	if err != nil || dir == "" {
		return Dir{}, unlike(v, p.wants())
	}
	d := Dir{Text: v.text}
	for _, dir := range []string{dir, w.real(dir)} {
		names := split(dir)
		for _, name := range names {
			if _, err := path.Match(name, ""); err != nil {
				return Dir{}, wrong{v, fmt.Sprintf(`%s has a pattern that does not end: a [ wants its ]`, v)}
			}
		}
		if !slices.ContainsFunc(d.places, func(o []string) bool { return slices.Equal(o, names) }) {
			d.places = append(d.places, names)
		}
	}
	return d, nil
}

// real resolves the links on the way to the first name that is a pattern.
func (w *World) real(dir string) string {
	if w.Real == nil {
		return dir
	}
	at := strings.IndexAny(dir, `*?[`)
	if at < 0 {
		return w.Real(dir)
	}
	above := filepath.Dir(dir[:at] + "x")
	return filepath.Join(w.Real(above), dir[len(above):])
}
