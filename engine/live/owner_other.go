//go:build !unix

package live

import (
	"errors"
	"io/fs"
)

func owned(fs.FileInfo) (bool, error) { return false, errors.ErrUnsupported }
