//go:build linux || darwin

package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// backlog is how many clients are let in while we do not look, each with a frame of
// its own: what comes then is refused at once. It bounds what a deskbell that was
// stopped makes the kernel keep.
const backlog = 4096

// listen makes the socket, which nobody but our own user can reach.
func listen(path string) (fd int, err error) {
	if err := makeWay(path); err != nil {
		return -1, err
	}
	fd, err = unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return -1, fmt.Errorf("socket: %w", err)
	}
	defer func() {
		if err != nil {
			_ = unix.Close(fd)
			err = fmt.Errorf("socket %s: %w", path, err)
		}
	}()
	unix.CloseOnExec(fd)
	if err = unix.SetNonblock(fd, true); err != nil {
		return fd, err
	}
	if err = unix.Bind(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		return fd, err
	}
	if err = os.Chmod(path, 0o600); err != nil {
		return fd, err
	}
	return fd, unix.Listen(fd, backlog)
}

// makeWay sees to it that a socket can be made at path, and only our own user reaches it.
func makeWay(path string) error {
	if most := len(syscall.RawSockaddrUnix{}.Path) - 1; len(path) > most {
		return fmt.Errorf("socket path %s has %d bytes and the system takes %d: set XDG_RUNTIME_DIR to a shorter folder", path, len(path), most)
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if s, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || !ok || int(s.Uid) != os.Getuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s must be a folder of your own that nobody else can write to", dir)
	}
	switch info, err = os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSocket == 0:
		return fmt.Errorf("%s is in the way and no socket: move it away", path)
	}
	return os.Remove(path)
}
