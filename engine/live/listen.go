package live

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// ErrRunning is returned by [Claim] where another deskbell has the machine.
var ErrRunning = errors.New("deskbell is running already")

// Instance is the right to be the one deskbell of this user, and its socket.
type Instance struct {
	net.Listener
	lock *flock.Flock
}

// Claim takes the lock in the folder dir and listens on a unix socket at path, in
// that order: who has the lock may remove what an earlier run left. The lock goes
// with the process, however that ends.
func Claim(dir, path string) (*Instance, error) {
	if err := private(dir, true); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	switch free, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", lock.Path(), err)
	case !free:
		return nil, ErrRunning
	}
	l, err := listen(path, dir)
	if err != nil {
		lock.Close()
		return nil, err
	}
	return &Instance{Listener: &guard{Listener: l}, lock: lock}, nil
}

// Close removes the socket and gives the lock back.
func (i *Instance) Close() error {
	err := i.Listener.Close()
	if errors.Is(err, net.ErrClosed) { // a server has closed it
		err = nil
	}
	return errors.Join(err, i.lock.Close())
}

func listen(path, own string) (net.Listener, error) {
	if len(path) > longest {
		return nil, fmt.Errorf("socket path %s has %d bytes and the system takes %d: set XDG_RUNTIME_DIR to a shorter folder", path, len(path), longest)
	}
	if dir := filepath.Dir(path); dir != filepath.Clean(own) {
		if err := private(dir, false); err != nil {
			return nil, err
		}
	}
	if err := sweep(path); err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}
