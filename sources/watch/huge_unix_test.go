//go:build unix

package watch

import (
	"os"
	"path/filepath"
	"testing"
)

// TestHugeLogOfASession checks that a transcript of 3 GB is read, when asked for and as it
// grows, and that nothing is said against it (C64). It is a hole, and costs nothing.
func TestHugeLogOfASession(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "projects/p/a.jsonl")
	put(t, path, "")
	if err := os.Truncate(path, 3_010_000_000); err != nil {
		t.Skip(err)
	}
	grow(t, path, "\na one\n")
	r := start(t, home).started()
	r.Answer(ask("a"))
	r.expect("a one")
	r.add("projects/p/a.jsonl", "a two\n")
	r.expect("a two")
	if len(r.said) > 0 {
		t.Errorf("said %q", <-r.said)
	}
}

// TestUnreadableLog checks that what the system says against a transcript is said, that
// it is not called missing, and that it is read once it can be (C64).
func TestUnreadableLog(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	r := start(t, t.TempDir()).started()
	r.add("projects/p/a.jsonl", "a one\n")
	r.expect("a one")
	path := r.path("projects/p/a.jsonl")
	r.do(func() {
		if err := os.Chmod(path, 0); err != nil {
			t.Error(err)
		}
	})
	r.Answer(ask("a"))
	if got, want := <-r.said, "Toy: projects/p/a.jsonl: open "+path+": permission denied"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	r.Answer(ask("a"))
	r.expect("a one")
}
