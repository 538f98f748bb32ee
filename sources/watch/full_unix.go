//go:build unix

package watch

import (
	"errors"
	"syscall"
)

// full reports whether the system refuses to watch more folders.
func full(err error) bool {
	return errors.Is(err, errFull) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}
