package watch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// TestAboveAMissingFolder checks that only what comes and goes in a folder counts that
// is watched for one below it which is not there yet.
func TestAboveAMissingFolder(t *testing.T) {
	w := NewWatcher()
	defer w.Close()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	written := func() bool { return w.notes.note(filepath.Join(dir, "history"), fsnotify.Write) }
	missing := filepath.Join(dir, "home", "sessions")
	w.Want(missing, Forever)
	if written() {
		t.Error("a write above a missing folder counts")
	}
	if !w.notes.note(filepath.Join(dir, "home"), fsnotify.Create) {
		t.Error("what is made there does not")
	}
	w.Want(dir, Forever)
	if !written() {
		t.Error("a write in a wanted folder does not count")
	}
	w.Drop(dir)
	if written() {
		t.Error("a write in a folder nobody wants any more counts")
	}
	if err := os.MkdirAll(missing, 0o700); err != nil {
		t.Fatal(err)
	}
	w.Renew()
	if w.notes.note(filepath.Join(missing, "1.json"), fsnotify.Write); w.notes.wants[missing] != 1 || len(w.notes.wants) != 1 {
		t.Errorf("wanted are %v", w.notes.wants)
	}
}
