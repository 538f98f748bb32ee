//go:build unix

package hooks

import (
	"os"
	"syscall"
	"testing"
)

// TestOwner keeps the owner of the file: for root, who alone can give files away.
func TestOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to somebody else")
	}
	d := newHouse(t, "home")
	d.write(d.settings(), foreign, 0o640)
	if err := os.Chown(d.settings(), 1234, 2345); err != nil {
		t.Skip(err) // in a container that has no such users
	}
	for _, install := range []bool{true, false} {
		d.must("", install)
		info, err := os.Stat(d.settings())
		if err != nil {
			t.Fatal(err)
		}
		if s := info.Sys().(*syscall.Stat_t); s.Uid != 1234 || s.Gid != 2345 || info.Mode() != 0o640 {
			t.Errorf("got %d:%d %v", s.Uid, s.Gid, info.Mode())
		}
	}
}
