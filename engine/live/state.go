package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/natefinch/atomic"

	"deskbell/engine"
)

// StateDir returns the folder of what is kept over a restart. It need not exist.
func StateDir() (string, error) {
	dir, err := base()
	if err != nil {
		return "", fmt.Errorf("no folder for what is to be kept: %w", err)
	}
	return filepath.Join(dir, "deskbell"), nil
}

const (
	stateFile    = "state.json"
	stateVersion = 1
	stateMost    = 16 << 20 // bytes; what is larger is none of ours
)

// coalesced is how long a change waits for others before it is written.
const coalesced = time.Second

// State keeps the memory of an engine in a file.
type State struct {
	path string
	say  func(string)
	bell chan struct{}              // holds one: there is something to write
	rest map[string]json.RawMessage // what another version wrote, and we do not know
	last []byte                     // as it is in the file

	mu    sync.Mutex
	next  *engine.Memory // guarded by mu; the newest, if it is not written yet
	asked []chan error   // guarded by mu; who waits for that

	due    time.Time // when a change is to be written; belongs to the loop's goroutine
	failed bool      // it could not be written, and that was said
}

// OpenState makes the folder dir if need be, and reads the memory in it. A file that
// makes no sense is set aside: say tells where. Whoever opens it holds the lock of the
// one deskbell.
func OpenState(dir string, say func(string)) (*State, engine.Memory, error) {
	s := &State{path: filepath.Join(dir, stateFile), say: say, bell: make(chan struct{}, 1)}
	if err := private(dir, true); err != nil {
		return nil, engine.Memory{}, err
	}
	s.tidy()
	m, err := s.read()
	if errors.Is(err, fs.ErrNotExist) {
		return s, m, nil
	}
	if err != nil {
		aside := s.path + ".broken-" + time.Now().UTC().Format("20060102-150405.000")
		if wrong := os.Rename(s.path, aside); wrong != nil {
			return nil, m, errors.Join(err, wrong)
		}
		say(fmt.Sprintf("%v: it makes no sense and is kept as %s; deskbell begins anew", err, aside))
		return s, engine.Memory{}, nil
	}
	return s, m, os.Chmod(s.path, 0o600)
}

// tidy removes what a run left that was killed in the middle of writing.
func (s *State) tidy() {
	all, _ := os.ReadDir(filepath.Dir(s.path)) // what stays is in nobody's way
	for _, f := range all {
		if n, is := strings.CutPrefix(f.Name(), stateFile); is && n != "" && strings.Trim(n, "0123456789") == "" {
			_ = os.Remove(filepath.Join(filepath.Dir(s.path), f.Name()))
		}
	}
}

func (s *State) read() (m engine.Memory, err error) {
	info, err := os.Stat(s.path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > stateMost) {
		err = fmt.Errorf("%s is no state file", s.path)
	}
	if err != nil {
		return m, err
	}
	text, err := os.ReadFile(s.path)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &s.rest); err != nil {
		return m, fmt.Errorf("%s: %w", s.path, err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%s: %w", s.path, err)
	}
	s.last = text
	return m, nil
}

// Tick writes what memory returns a moment after something changed. An id that was given
// is written at once: no other session may have it, whatever happens.
func (s *State) Tick(memory func() engine.Memory) Tick {
	return func(now time.Time, step engine.Step, _ engine.Snapshot) time.Time {
		switch {
		case slices.ContainsFunc(step.Changes, func(t engine.Transition) bool { return t.From == engine.Unknown }):
			s.due = now
		case len(step.Changes)+len(step.Gone) > 0 && s.due.IsZero():
			s.due = now.Add(coalesced)
		}
		if !s.due.IsZero() && !now.Before(s.due) {
			s.due = time.Time{}
			s.Keep(memory())
		}
		return s.due
	}
}

// Keep has m written by Run. It never waits: a newer memory takes the place of one that
// has not been written yet.
func (s *State) Keep(m engine.Memory) { s.put(m) }

// Commit is Keep, and returns what waits until it is on disk.
func (s *State) Commit(m engine.Memory) (wait func(context.Context) error) {
	done := make(chan error, 1)
	s.put(m, done)
	return func(ctx context.Context) error {
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (s *State) put(m engine.Memory, asked ...chan error) {
	s.mu.Lock()
	s.next, s.asked = &m, append(s.asked, asked...)
	s.mu.Unlock()
	select {
	case s.bell <- struct{}{}:
	default:
	}
}

// Run writes what is to be kept until ctx is done.
func (s *State) Run(ctx context.Context) {
	for {
		select {
		case <-s.bell:
			s.flush()
		case <-ctx.Done():
			s.flush()
			return
		}
	}
}

func (s *State) flush() {
	s.mu.Lock()
	m, asked := s.next, s.asked
	s.next, s.asked = nil, nil
	s.mu.Unlock()
	if m == nil {
		return
	}
	err := s.Save(*m)
	for _, done := range asked {
		done <- err
	}
}

// Save writes m if it is not what the file says. While Run runs, it is Run's to call.
func (s *State) Save(m engine.Memory) error {
	text, err := s.text(m)
	if err == nil && bytes.Equal(text, s.last) {
		return nil
	}
	if err == nil {
		err = atomic.WriteFile(s.path, bytes.NewReader(text))
	}
	if err == nil {
		settle(filepath.Dir(s.path))
	}
	switch {
	case err == nil:
		s.last, s.failed = text, false
	case !s.failed:
		s.failed = true
		s.say(fmt.Sprintf("%s: %v: what changes is lost at a restart until it can be written again", s.path, err))
	}
	return err
}

// settle has the name of a new file survive a loss of power, where a folder can be synced.
func settle(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// text is m as it is written, with what another version added.
func (s *State) text(m engine.Memory) ([]byte, error) {
	all := map[string]json.RawMessage{}
	for name, v := range s.rest {
		all[name] = v
	}
	version := stateVersion
	var theirs int
	if json.Unmarshal(s.rest["version"], &theirs) == nil {
		version = max(version, theirs)
	}
	for _, name := range []string{"nights", "labels", "hushed"} { // left out where there are none
		delete(all, name)
	}
	for _, part := range []any{m, struct {
		Version int `json:"version"`
	}{version}} {
		text, err := json.Marshal(part)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &all); err != nil {
			return nil, err
		}
	}
	return json.MarshalIndent(all, "", " ")
}
