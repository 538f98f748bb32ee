package hooks

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// exchange swaps two files at one stroke, so that nothing is lost that was written
// up to then.
func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) { // a file system or kernel that cannot
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	return err
}
