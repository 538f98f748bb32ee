//go:build unix

package hooks

import (
	"io/fs"
	"os"
	"syscall"
)

// owned gives f to the owner and group of like.
func owned(f *os.File, like fs.FileInfo) error {
	mine, err := f.Stat()
	if err != nil {
		return err
	}
	have, ok := mine.Sys().(*syscall.Stat_t)
	want, ok2 := like.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}
