//go:build unix

package live

import (
	"io/fs"
	"os"
	"syscall"
)

// owned tells whether the file is our own user's.
func owned(info fs.FileInfo) (bool, error) {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Getuid(), nil
}
