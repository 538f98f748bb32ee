package hooks

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, test := range []struct{ name, old, new, want string }{
		{"same", "a\n", "a\n", "--- f\n+++ f\n"},
		{"one line", "a\nb\nc\n", "a\nB\nc\n", "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"no line end", "a", "a\nb", "--- f\n+++ f\n@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n"},
		{"two hunks", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "1\nx\n2\n3\n4\n5\n6\n7\n8\n9\n", "--- f\n+++ f\n@@ -1,4 +1,5 @@\n 1\n+x\n 2\n 3\n 4\n@@ -7,4 +8,3 @@\n 7\n 8\n 9\n-10\n"},
		{"near", "1\n2\n3\n4\n5\n6\n7\n8\n", "x\n1\n2\n3\n4\n5\n6\n7\n8\ny\n", "--- f\n+++ f\n@@ -1,3 +1,4 @@\n+x\n 1\n 2\n 3\n@@ -6,3 +7,4 @@\n 6\n 7\n 8\n+y\n"},
		{"escapes", "a\n", "\x1b[2J\u009b\r\n", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+\ufffd[2J\ufffd\r\n"},
	} {
		if got := diff("f", []byte(test.old), []byte(test.new)); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
	if got, want := diff("f", nil, []byte("a\n")), "--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+a\n"; got != want {
		t.Errorf("made: got\n%s\nwant\n%s", got, want)
	}
	if got, want := diff("f", []byte("a\n"), nil), "--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"; got != want {
		t.Errorf("gone: got\n%s\nwant\n%s", got, want)
	}
	long := strings.Repeat("a\n", 4000)
	if got := diff("f", []byte("x\n"+long+"y\n"), []byte("X\n"+strings.ReplaceAll(long, "a", "b")+"Y\n")); strings.Count(got, "\n") != 2*4002+3 {
		t.Errorf("a wide change has %d lines", strings.Count(got, "\n"))
	}
}

// TestPatch has the program patch understand our diffs.
func TestPatch(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		if os.Getenv("CI") == "true" && runtime.GOOS == "linux" {
			t.Fatal("needs patch, from the Debian package patch")
		}
		t.Skip("needs patch, from the Debian package patch")
	}
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 3))
		var old, new strings.Builder
		for i := range r.IntN(40) {
			if n := r.IntN(8); n > 0 {
				fmt.Fprintln(&old, i%7)
			}
			if n := r.IntN(8); n > 0 {
				fmt.Fprintln(&new, i%7)
			}
		}
		if old.String() == new.String() || old.Len() == 0 || new.Len() == 0 {
			continue
		}
		d := newHouse(t, "home")
		path := filepath.Join(d.Home, "f")
		d.write(path, old.String(), 0o600)
		run := exec.Command(patch, "-u", path)
		run.Stdin = strings.NewReader(diff(path, []byte(old.String()), []byte(new.String())))
		if text, err := run.CombinedOutput(); err != nil || d.read(path) != new.String() {
			t.Errorf("seed %d: %v %s, got\n%s\nwant\n%s", seed, err, text, d.read(path), new.String())
		}
	}
}
