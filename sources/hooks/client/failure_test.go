package client

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestC84Away checks that the client is done at once where nobody listens.
func TestC84Away(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(t *testing.T, dir string) string
	}{
		{"no runtime folder", func(t *testing.T, dir string) string { return filepath.Join(dir, "none") }},
		{"no folder of ours", func(t *testing.T, dir string) string { return dir }},
		{"no socket", func(t *testing.T, dir string) string { folder(t, dir, ""); return dir }},
		{"a file in its place", func(t *testing.T, dir string) string { folder(t, dir, "text"); return dir }},
		{"not a path", func(*testing.T, string) string { return "\x01?*" }},
		{"no variable, no home", func(*testing.T, string) string { return "" }},
		{"too long a path", func(t *testing.T, dir string) string { return filepath.Join(dir, strings.Repeat("x", 200)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			child := newChild(t, c.make(t, t.TempDir()), name, "claude", "Stop")
			child.Stdin = strings.NewReader(payload)
			child.fine(t, "")
		})
	}
}

// folder makes our folder in a runtime folder, with a file where the socket would be.
func folder(t *testing.T, runtime, text string) {
	t.Helper()
	dir := filepath.Join(runtime, "deskbell")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if text == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, SocketName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestStaysOpen checks that the client does not wait for its input to end: after some
// events Claude Code leaves it open (public issue 79508).
func TestStaysOpen(t *testing.T) {
	dir := runtimeDir(t)
	r := listenIn(t, dir)
	c := newChild(t, dir, name)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	half := len(payload) / 2
	go func() {
		_, _ = in.Write([]byte(payload[:half]))
		_, _ = in.Write([]byte(payload[half:]))
	}()
	c.fine(t, "")
	if f := r.one(t); string(f.Payload) != payload {
		t.Errorf("got %q", f.Payload)
	}
}

// TestC85Silence checks that the client gives up by itself where nothing comes.
func TestC85Silence(t *testing.T) {
	for _, begun := range []string{"", `{"session_id":`} {
		t.Run(begun, func(t *testing.T) {
			t.Parallel()
			dir := runtimeDir(t)
			r := listenIn(t, dir)
			c := newChild(t, dir, name)
			in, err := c.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := in.Write([]byte(begun)); err != nil {
				t.Fatal(err)
			}
			c.fine(t, "")
			if begun != "" {
				if f := r.one(t); string(f.Payload) != begun {
					t.Errorf("got %q, want %q", f.Payload, begun)
				}
			}
			r.none(t, dir)
		})
	}
}
