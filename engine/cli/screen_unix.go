//go:build unix

package cli

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// size returns the columns and lines of the terminal f.
func size(f *os.File) (width, height int, err error) {
	w, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0, err
	}
	return int(w.Col), int(w.Row), nil
}

// resized tells c whenever the terminal changes its size.
func resized(c chan<- os.Signal) { signal.Notify(c, unix.SIGWINCH) }
