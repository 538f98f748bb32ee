package raw

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

const (
	largest  = 1 << 20 // files larger than that are not read
	maxFiles = 4096    // whole files that are remembered
)

// file is a whole file as it was read last.
type file struct {
	text string
	mod  time.Time
	last time.Time // when it was told of
}

// file takes in a file that changed. One that says the same says nothing.
func (w *World) file(now time.Time, l *Line) ([]engine.Event, error) {
	c, err := w.cli(l.Tool)
	if err != nil {
		return nil, err
	}
	p := w.locate(c, l.Path)
	old := w.files[p]
	switch {
	case l.Path == "":
		return nil, errors.New(`a file needs its path, "path": "sessions/41.json"`)
	case l.Text != nil && len(*l.Text) > largest:
		return nil, fmt.Errorf("%s is larger than %d MB", l.Path, largest>>20)
	case l.Text != nil && old != nil && old.text == *l.Text:
		old.last = now
		return nil, nil
	}
	if old != nil {
		w.held -= len(old.text)
	}
	if l.Text == nil {
		delete(w.files, p)
		return w.translate(p, sources.File{Rel: p.rel, Mod: l.At}, nil)
	}
	f := &file{text: *l.Text, mod: cmp.Or(l.Mod, l.At), last: now}
	w.files[p] = f
	w.held += len(f.text)
	w.thin()
	return w.read(p, nil)
}

// read translates a file by every tree it belongs to that is as wanted.
func (w *World) read(p place, wanted func(t *sources.Tree) bool) ([]engine.Event, error) {
	f := w.files[p]
	return w.translate(p, sources.File{Rel: p.rel, Text: []byte(f.text), Mod: f.mod}, wanted)
}

func (w *World) translate(p place, f sources.File, wanted func(t *sources.Tree) bool) (out []engine.Event, wrong error) {
	for _, t := range w.trees(p) {
		if t.Read == nil || wanted != nil && !wanted(&t) {
			continue
		}
		if !t.Whole && f.Text != nil {
			f.Text = []byte{} // that it is there is all that counts
		}
		events, err := guarded(func() ([]engine.Event, error) { return t.Read(f) })
		wrong = errors.Join(wrong, err)
		events = own(p, events)
		out = append(append(out, w.answering(p, events)...), events...)
	}
	return out, wrong
}

// answering tells beside a permission prompt whether a hook may answer it.
func (w *World) answering(p place, events []engine.Event) (out []engine.Event) {
	c, err := w.cli(p.tool)
	if err != nil || c.Answers == nil {
		return nil
	}
	for _, ev := range events {
		if l, is := ev.Fact.(engine.Listed); is && l.Level == engine.ListedAsking {
			out = append(out, engine.Event{At: ev.At, By: ev.By, Who: ev.Who, Fact: c.Answers(p.home, ev.Who.Dir, w.settings(p.tool, p.home))})
		}
	}
	return out
}

// settings opens the files of a CLI that were told of.
func (w *World) settings(tool, home string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		name = filepath.ToSlash(name)
		rel, below := strings.CutPrefix(name, home+"/")
		for _, p := range []place{{tool, home, rel}, {tool, "", name}} {
			if f := w.files[p]; f != nil && (below || p.home == "") {
				return []byte(f.text), nil
			}
		}
		return nil, fs.ErrNotExist
	}
}

func sortedPlaces[V any](m map[place]V) []place {
	return slices.SortedFunc(maps.Keys(m), func(a, b place) int {
		return cmp.Or(strings.Compare(a.tool, b.tool), strings.Compare(a.path(), b.path()))
	})
}
