//go:build !unix

package watch

import "errors"

// full reports whether the system refuses to watch more folders.
func full(err error) bool { return errors.Is(err, errFull) }
