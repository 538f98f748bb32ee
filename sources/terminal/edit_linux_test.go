package terminal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestEdit checks that the user's program gets the path as it is, and that a missing one
// is told together with what to do.
func TestEdit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	file := filepath.Join(dir, "my $(touch x) config.toml")
	if err := Edit(file); err == nil || !strings.Contains(err.Error(), "edit "+file) {
		t.Errorf("got %v", err)
	}
	script := "#!/bin/sh\nprintf '%s' \"$1\" >" + dir + "/part\n/bin/mv " + dir + "/part " + dir + "/got\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Edit(file); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); ; {
		if got, err := os.ReadFile(filepath.Join(dir, "got")); err == nil {
			if string(got) != file {
				t.Errorf("got %q", got)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatal("the program was not called")
		}
	}
}
