//go:build unix

package watch

import (
	"os"
	"syscall"
	"testing"
)

func TestPipesAndFoldersAreNotRead(t *testing.T) {
	r := start(t, t.TempDir()).started()
	os.MkdirAll(r.path("projects/p/dir.jsonl"), 0o700)
	os.MkdirAll(r.path("sessions/dir.json"), 0o700)
	if err := syscall.Mkfifo(r.path("projects/p/pipe.jsonl"), 0o600); err != nil {
		t.Skip(err)
	}
	r.add("projects/p/a.jsonl", "a one\n")
	r.expect("a one")
}
