package live

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// RuntimeDir returns the folder of the lock and the socket. It need not exist.
func RuntimeDir() (string, error) {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "deskbell"), nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the socket, set XDG_RUNTIME_DIR: %w", err)
	}
	return filepath.Join(dir, "deskbell"), nil
}

// SocketPath returns where the socket is in a runtime folder.
func SocketPath(dir string) string { return filepath.Join(dir, "deskbell.sock") }

// longest is what the system takes as the path of a socket.
const longest = len(syscall.RawSockaddrUnix{}.Path) - 1

// private makes the folder dir if need be, and sees to it that it is ours alone.
// Only a folder that is deskbell's own is mended: others may have their reasons.
func private(dir string, own bool) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder: move it away", dir)
	}
	mine, err := owned(info)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil // its place in the user's profile protects it
	}
	if !mine {
		return fmt.Errorf("%s belongs to somebody else: remove it, or set XDG_RUNTIME_DIR to a folder of your own", dir)
	}
	switch {
	case info.Mode().Perm()&0o077 == 0:
		return nil
	case own:
		return os.Chmod(dir, 0o700)
	}
	return fmt.Errorf("others can look into %s: chmod 700 it, or put the socket elsewhere", dir)
}

// sweep removes a socket that an earlier run left. Anything else stays.
func sweep(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	// Windows tells some sockets as irregular files.
	if info.Mode()&(fs.ModeSocket|fs.ModeIrregular) == 0 {
		return fmt.Errorf("%s is in the way and no socket: move it away", path)
	}
	return os.Remove(path)
}
