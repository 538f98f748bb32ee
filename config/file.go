package config

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"
)

// Watcher tells that something happened in folders.
type Watcher interface {
	// Want watches a folder from now on, also where it does not exist yet.
	Want(dir string) error
	Drop(dir string)
	Ring() <-chan struct{} // holds a token while something has happened
	Take()                 // takes note of what happened
}

// File is the configuration on the disk. One goroutine owns it.
type File struct {
	Path  string // "": there is none
	World World
	Say   func(string) // is told what keeps changes from being seen; nil: nobody

	read   bool   // it has been
	text   []byte // as it was
	bad    string // why it could not be read
	state  State
	wanted []string
	deaf   bool // that was told
}

// State is what holds.
type State struct {
	Config   Config
	Problems []Problem // why it is not what the file says
}

// Where is the path of the file.
func (f *File) Where() string { return f.Path }

// Sample is what [Sample] is.
func (f *File) Sample() string { return Sample(f.World) }

// Check reads the file and returns what is wrong with it, a line each.
func (f *File) Check() (lines []string) {
	s, _ := f.Load()
	for _, p := range s.Problems {
		lines = append(lines, p.String())
	}
	return lines
}

// Load reads the file. What is wrong with it changes nothing: what held before holds
// on, at the start the defaults. It reports whether the state is another one. A file
// that is not there leaves everything as it is by default.
func (f *File) Load() (State, bool) {
	text, err := slurp(f.Path)
	bad := ""
	if err != nil {
		bad = err.Error()
	}
	if f.read && bad == f.bad && bytes.Equal(text, f.text) {
		return f.state, false
	}
	c, problems := Parse(f.Path, text, f.World)
	if err != nil {
		problems = []Problem{{File: f.Path, Text: bad}}
	}
	if len(problems) == 0 || !f.read {
		f.state.Config = c
	}
	f.state.Problems = problems
	f.read, f.text, f.bad = true, text, bad
	return f.state, true
}

// largest is what a configuration may have, far more than it ever needs.
const largest = 1 << 20

// slurp reads a small file; nil: there is none.
func slurp(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, cause(err)
	case !info.Mode().IsRegular(): // opening one could take for ever
		return nil, errors.New("it is no file: move it away")
	}
	r, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cause(err)
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, largest+1))
	if len(text) > largest {
		err = fmt.Errorf("it is larger than %d bytes", largest)
	}
	if err != nil {
		return nil, cause(err)
	}
	return text, nil
}

// cause is err without the path, which the problem has.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("it cannot be read: %w", p.Err)
	}
	return err
}

// An editor makes several steps of one save: it truncates and writes, or writes beside
// and renames.
const (
	calm    = 50 * time.Millisecond  // without a further step it is done
	longest = 500 * time.Millisecond // ... and after so long it is looked at anyway
)

// Run calls changed with every state that differs from the last one, until ctx is done.
func (f *File) Run(ctx context.Context, w Watcher, changed func(State)) {
	for f.Path != "" {
		f.follow(w) // before reading: what happens after it rings
		if s, fresh := f.Load(); fresh {
			changed(s)
		}
		select {
		case <-ctx.Done():
			return
		case <-w.Ring():
		}
		if !settle(ctx, w) {
			return
		}
	}
}

// settle waits until nothing more happens.
func settle(ctx context.Context, w Watcher) bool {
	quiet, enough := time.NewTimer(calm), time.NewTimer(longest)
	defer quiet.Stop()
	defer enough.Stop()
	for {
		w.Take()
		select {
		case <-ctx.Done():
			return false
		case <-w.Ring():
			quiet.Reset(calm)
		case <-quiet.C:
			return true
		case <-enough.C:
			return true
		}
	}
}

// follow watches the folders on the way to the file.
func (f *File) follow(w Watcher) {
	var deaf error
	for same := false; !same; { // a link may be changed before its folder is watched
		now := folders(f.Path)
		deaf = nil
		for _, dir := range now {
			deaf = cmp.Or(deaf, w.Want(dir))
		}
		for _, dir := range f.wanted {
			if !slices.Contains(now, dir) {
				w.Drop(dir)
			}
		}
		same = slices.Equal(now, f.wanted)
		f.wanted = now
	}
	if deaf != nil && !f.deaf && f.Say != nil {
		f.Say(fmt.Sprintf("changes of %s are seen at the next start only: %v", f.Path, deaf))
	}
	f.deaf = deaf != nil
}
