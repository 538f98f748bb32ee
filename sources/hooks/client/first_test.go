package client

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestImports checks what makes the client cheap in a large binary: it imports next to
// nothing, and so can be first.
func TestImports(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range parsed.Imports {
			if path, _ := strconv.Unquote(i.Path.Value); path != "os" && path != "syscall" && path != "unsafe" {
				t.Errorf("%s imports %s", f, path)
			}
		}
	}
}

// TestSocket checks where the socket is looked for.
func TestSocket(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", dir+string(filepath.Separator))
	if got, want := Socket(), filepath.Join(dir, "deskbell", "hooks.sock"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	for _, other := range []string{"", "relative/dir"} {
		t.Setenv("XDG_RUNTIME_DIR", other)
		if got, want := Socket(), filepath.Join(cache, "deskbell", "hooks.sock"); got != want {
			t.Errorf("%q: got %q, want %q", other, got, want)
		}
	}
}
