//go:build !linux

package process

import "errors"

func worked(int) (ticks uint64, runs bool, err error) { return 0, false, errors.ErrUnsupported }
