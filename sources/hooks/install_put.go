package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// errMeanwhile: somebody else changed the file.
var errMeanwhile = errors.New("it was changed meanwhile")

// put replaces the file old by out, either of which may be nil. It fails with
// errMeanwhile, and what others wrote stays, if it is not old any more.
func (p place) put(out, old []byte) (err error) {
	like, err := os.Stat(p.real)
	if err == nil {
		now, wrong := read(p.real)
		if err = wrong; err == nil && !same(now, old) {
			err = errMeanwhile
		}
	} else if old == nil && errors.Is(err, fs.ErrNotExist) {
		like, err = nil, nil
	}
	if err != nil {
		return errors.Join(err, errMeanwhile)
	}
	temp, err := written(filepath.Dir(p.real), filepath.Base(p.real), out, like)
	if err != nil {
		return err
	}
	defer func() {
		if s := (*stranded)(nil); !errors.As(err, &s) {
			os.Remove(temp)
		}
	}()
	p.seam()
	switch {
	case old == nil:
		return created(temp, p.real)
	case out == nil:
		return p.away(temp, old)
	}
	return p.exchanged(temp, out, old)
}

// exchanged exchanges the file, which is old, for temp, which is out.
func (p place) exchanged(temp string, out, old []byte) error {
	err := p.swap(temp, p.real)
	if errors.Is(err, errors.ErrUnsupported) {
		if now, err := read(p.real); err != nil || !same(now, old) {
			return errMeanwhile
		}
		return os.Rename(temp, p.real)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return errMeanwhile
	}
	if err != nil {
		return err
	}
	if was, err := read(temp); err == nil && same(was, old) {
		return nil
	}
	// What was there was written after our last look, maybe not to its end.
	if err := p.swap(temp, p.real); err != nil {
		return p.rescued(temp, err)
	}
	if ours, err := read(temp); err == nil && !same(ours, out) {
		if err := p.swap(temp, p.real); err != nil { // somebody was as fast as that: the last one wins
			return p.rescued(temp, err)
		}
	}
	return errMeanwhile
}

// away removes the file, which is old. temp is where it goes.
func (p place) away(temp string, old []byte) error {
	err := os.Rename(p.real, temp)
	if errors.Is(err, fs.ErrNotExist) {
		return errMeanwhile
	}
	if err != nil {
		return err
	}
	if was, err := read(temp); err == nil && same(was, old) {
		return nil
	}
	if err := created(temp, p.real); err != nil && !errors.Is(err, errMeanwhile) {
		return p.rescued(temp, err)
	}
	return errMeanwhile
}

// stranded: what somebody else wrote could not be put back, and is in a file beside it.
type stranded struct {
	path string
	err  error
}

func (s *stranded) Error() string {
	return fmt.Sprintf("what was written to it meanwhile could not be put back (%v): it is in %s, move it back yourself", s.err, s.path)
}

// rescued puts back what somebody else wrote and temp holds, after err. It counts more
// than what we wrote.
func (p place) rescued(temp string, err error) error {
	if errors.Is(err, fs.ErrNotExist) { // whoever removed the file was the last one
		return errMeanwhile
	}
	if again := os.Rename(temp, p.real); again != nil {
		return &stranded{temp, err}
	}
	return errMeanwhile
}

// created moves temp to path, where nothing is.
func created(temp, path string) error {
	err := os.Link(temp, path)
	switch {
	case errors.Is(err, fs.ErrExist):
		return errMeanwhile
	case err == nil:
		return nil
	}
	if _, err := os.Lstat(path); err == nil { // a file system without links
		return errMeanwhile
	}
	return os.Rename(temp, path)
}

// temporary is the pattern of files that become base.
func temporary(base string) string { return "." + base + ".deskbell-*" }

// written makes a file in dir that is to become base, with the mode and owner of
// like, nil: it is ours alone.
func written(dir, base string, text []byte, like fs.FileInfo) (path string, err error) {
	f, err := os.CreateTemp(dir, temporary(base))
	if err != nil {
		return "", fmt.Errorf("its folder cannot be written: %w", err)
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if like != nil {
		if err := owned(f, like); err != nil {
			return "", fmt.Errorf("it belongs to somebody else: do this as its owner: %w", err)
		}
		if err := f.Chmod(like.Mode()); err != nil {
			return "", err
		}
	}
	if _, err := f.Write(text); err != nil {
		return "", err
	}
	return f.Name(), f.Sync()
}
