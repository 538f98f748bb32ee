//go:build !linux && !darwin

package live

import (
	"errors"
	"syscall"
)

func peer(syscall.RawConn) (uid int, err error) { return 0, errors.ErrUnsupported }
