package hooks

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// RefreshClient brings the installed hook client up to this version. Where none is
// installed it does nothing.
func RefreshClient() error {
	in, err := NewInstaller(nil)
	if err == nil {
		err = Refresh(in.Dir(), in.Self)
	}
	if err != nil {
		return fmt.Errorf("the hook client stays as it is: %w", err)
	}
	return nil
}

// Refresh makes the client in the folder dir a copy of self, the running program, if
// one is installed there and is older. Installing one is left to the user.
func Refresh(dir, self string) error {
	path := filepath.Join(dir, executable)
	have, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !have.Mode().IsRegular() {
		return nil // not ours to replace
	}
	if err != nil {
		return err
	}
	us, err := os.Stat(self)
	if err != nil {
		return err
	}
	if current(self, path) || us.ModTime().Before(have.ModTime()) {
		return nil
	}
	return copied(self, path)
}

// current reports whether the client at path is a copy of self: it has its time.
func current(self, path string) bool {
	us, err := os.Stat(self)
	if err != nil {
		return false
	}
	have, err := os.Stat(path)
	return err == nil && have.Mode().IsRegular() && have.Mode().Perm()&0o100 == us.Mode().Perm()&0o100 &&
		have.Size() == us.Size() && have.ModTime().Equal(us.ModTime())
}

// copied puts a copy of self at path. A client that runs meanwhile is the old one.
func copied(self, path string) (err error) {
	from, err := os.Open(self)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	to, err := os.CreateTemp(dir, temporary(executable))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(to.Name())
			err = fmt.Errorf("the client: %w", err)
		}
	}()
	_, err = io.Copy(to, from)
	if err == nil {
		err = to.Chmod(0o755)
	}
	if err == nil {
		err = to.Sync()
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return err
	}
	if err := os.Chtimes(to.Name(), info.ModTime(), info.ModTime()); err != nil {
		return err
	}
	return os.Rename(to.Name(), path)
}
