//go:build !linux && !darwin

package host

import (
	"errors"
	"fmt"
)

// Hosts: terminals can be hosted here.
const Hosts = false

// Run hosts a terminal. Here that cannot be done.
func Run(Options) (status int, err error) {
	return 1, fmt.Errorf("deskbell hosts terminals on Linux and macOS only, run the tool itself: %w", errors.ErrUnsupported)
}
