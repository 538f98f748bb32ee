package watch

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

const (
	largest = 16 << 20 // settings larger than that are not read
	small   = 1 << 20  // ... nor is any other whole file larger than that
)

// A file that was not understood may be half written, in place, by a program that
// has to wait for a core: it is read again soon, and once more before that is said.
const (
	soon = 10 * time.Millisecond
	late = 150 * time.Millisecond
)

// whole is a file that is read at once.
type whole struct {
	tree  *tree
	path  string
	known bool              // it was there, and understood
	read  bool              // sum is that of what was understood last
	sum   [sha256.Size]byte // so that a rewrite of the same says nothing
	torn  time.Time         // since when it is not understood, while it is to be read once more
}

func (s *Source) whole(t *tree, path string) *whole {
	w := s.wholes[path]
	if w == nil {
		w = &whole{tree: t, path: path}
		s.wholes[path] = w
	}
	return w
}

// readWhole reads a file and adds what it says to the batch.
func (s *Source) readWhole(w *whole) {
	h := w.tree.home
	f := sources.File{Rel: h.rel(w.path)}
	var err error
	if f.Text, f.Mod, err = w.slurp(); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		delete(s.wholes, w.path)
		w.torn = time.Time{}
		if w.known {
			f.Text, f.Mod = nil, s.now()
			s.add(w, f)
		}
		return
	}
	if err != nil {
		s.tear(w, f.Rel, err)
		return
	}
	sum := sha256.Sum256(f.Text)
	if w.read && w.sum == sum {
		w.torn = time.Time{}
		return
	}
	if err := s.add(w, f); err != nil {
		s.tear(w, f.Rel, err)
		return
	}
	w.known, w.read, w.sum, w.torn = true, true, sum, time.Time{}
}

// tear has a file read again that was not understood, or gives it up.
func (s *Source) tear(w *whole, rel string, err error) {
	now := s.now()
	if w.torn.IsZero() {
		w.torn = now
		s.torn = append(s.torn, w)
	}
	again := w.torn.Add(soon)
	if !now.Before(again) {
		again = w.torn.Add(late)
	}
	if !now.Before(again) {
		w.torn = time.Time{}
		s.bad(w.tree, rel, err)
		return
	}
	if s.retry.IsZero() || again.Before(s.retry) {
		s.retry = again
	}
}

// readTorn reads once more what was not understood: it may have been half written.
func (s *Source) readTorn() {
	torn := s.torn
	s.torn = nil
	for _, w := range torn {
		if !w.torn.IsZero() {
			s.readWhole(w)
		}
		if !w.torn.IsZero() {
			s.torn = append(s.torn, w)
		}
	}
	s.flush()
}

func (s *Source) add(w *whole, f sources.File) error {
	events, err := w.tree.Read(f)
	if err != nil {
		return err
	}
	h := w.tree.home
	for _, ev := range h.own(events) {
		if l, ok := ev.Fact.(engine.Listed); ok && l.Level == engine.ListedAsking && h.cli.Answers != nil {
			s.out = append(s.out, engine.Event{At: ev.At, By: ev.By, Who: ev.Who, Fact: h.cli.Answers(h.base, ev.Who.Dir, settings)})
		}
	}
	s.out = append(s.out, events...)
	return nil
}

// bad counts what could not be read and says so once for each kind of file.
func (s *Source) bad(t *tree, rel string, err error) {
	t.bad++
	s.say("bad "+t.home.base+t.Glob, fmt.Sprintf("%s: %s: %v", t.home.cli.Title, rel, err))
}

// slurp reads the file, or, where its tree only wants to know that it is there,
// finds out just that.
func (w *whole) slurp() ([]byte, time.Time, error) {
	if !w.tree.Whole {
		info, err := os.Stat(w.path)
		if err != nil {
			return nil, time.Time{}, err
		}
		return []byte{}, info.ModTime(), nil
	}
	f, info, err := open(w.path)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	text, err := read(f, info, small)
	return text, info.ModTime(), err
}

// settings reads a CLI's settings file.
func settings(path string) ([]byte, error) {
	f, info, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(f, info, largest)
}

// open opens a regular file. It never waits for the other end of a pipe.
func open(path string) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a file")
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// read reads all of a file that is no larger than most.
func read(f *os.File, info fs.FileInfo, most int64) ([]byte, error) {
	text := make([]byte, 0, min(info.Size(), most)+1)
	for {
		n, err := f.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case errors.Is(err, io.EOF):
			return text, nil
		case err != nil:
			return nil, err
		case info.Size() > most || int64(len(text)) > most:
			return nil, fmt.Errorf("larger than %d MB", most>>20)
		case len(text) == cap(text): // it grows
			text = append(text, 0)[:len(text)]
		}
	}
}
