package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// largest is how large a settings file may be.
const largest = 8 << 20

// place is where a settings file is, or could be. Other programs write it too, and
// not all of them at one stroke.
type place struct {
	path string // as the CLI names it
	real string // where symbolic links lead
	wait func(time.Duration)
	swap func(a, b string) error // two files at one stroke
	seam func()                  // a test's: right before the file is replaced
}

func placeOf(path string) (place, error) {
	p := place{path: path, wait: time.Sleep, swap: exchange, seam: func() {}}
	var err error
	p.real, err = followed(path)
	return p, err
}

// followed returns where path leads, which need not exist.
func followed(path string) (string, error) {
	for range 40 {
		real, err := filepath.EvalSymlinks(path)
		if !errors.Is(err, fs.ErrNotExist) {
			return real, err
		}
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // it is no link: it does not exist
		}
		if !filepath.IsAbs(to) {
			dir := filepath.Dir(path)
			if real, err := filepath.EvalSymlinks(dir); err == nil { // ".." leads out of the real folder
				dir = real
			}
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return "", fmt.Errorf("%s: too many symbolic links", path)
}

// read returns what is in the file. nil: there is none.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", path)
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, largest+1))
	if err != nil {
		return nil, err
	}
	if len(text) > largest {
		return nil, fmt.Errorf("%s is larger than %d MB", path, largest>>20)
	}
	return append([]byte{}, text...), nil
}

// same reports whether two files are the same, of which either may not exist.
func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// Somebody may be in the middle of writing what makes no sense.
const (
	looks = 8
	pause = 25 * time.Millisecond
)

// change returns what is in the file, and what makes of it. It waits for a writer
// to end.
func (p place) change(makes func([]byte) ([]byte, error)) (old, out []byte, err error) {
	for n := 1; ; n++ {
		if old, err = read(p.real); err != nil {
			return nil, nil, err
		}
		out, err = makes(old)
		var b *Broken
		if n == looks || !errors.As(err, &b) {
			break
		}
		p.wait(pause)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", p.path, err)
	}
	return old, out, nil
}

// writable tells why the file must not be changed, if that is so.
func (p place) writable() error {
	info, err := os.Stat(p.real)
	if err == nil && info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("%s is read-only: whoever made it so has to change it (chmod u+w)", p.real)
	}
	return nil
}

// attempts is how often others may get in between.
const attempts = 20

// update makes of the file what makes tells. What others write meanwhile goes into
// it too. first is called with what will be replaced, before.
func (p place) update(makes func([]byte) ([]byte, error), first func([]byte) error) error {
	for range attempts {
		old, out, err := p.change(makes)
		if err != nil || same(old, out) {
			return err
		}
		if err := errors.Join(p.writable(), first(old)); err != nil {
			return err
		}
		if err = p.put(out, old); err == nil {
			return nil
		}
		if !errors.Is(err, errMeanwhile) {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		p.wait(pause)
	}
	return fmt.Errorf("%s: others write it all the time, try again later", p.path)
}
