package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSetTurns checks that a click changes what it is about, and no other byte.
func TestSetTurns(t *testing.T) {
	const never = -1
	for _, c := range []struct {
		name, text string
		least      time.Duration
		want       string // "": it is to be done by hand
	}{
		{"no file", "", 15 * time.Second, "[notify]\nmin_turn = \"15s\"\n"},
		{"another section", "[tray]\nleft_click = \"next\"", 15 * time.Second, "[tray]\nleft_click = \"next\"\n\n[notify]\nmin_turn = \"15s\"\n"},
		{"the section", "# mine\n[notify] # notices\nsound = false\n", 15 * time.Second, "# mine\n[notify] # notices\nmin_turn = \"15s\"\nsound = false\n"},
		{"the section at the end", "[notify]", 15 * time.Second, "[notify]\nmin_turn = \"15s\""},
		{"the key", "[notify]\n  min_turn='1m'   # long\n[tray]\n", 15 * time.Second, "[notify]\n  min_turn=\"15s\"   # long\n[tray]\n"},
		{"always again", "[notify]\nmin_turn = \"15s\"\n", 0, "[notify]\nmin_turn = \"0s\"\n"},
		{"CRLF", "[notify]\r\nmin_turn = \"1m\"\r\n", 15 * time.Second, "[notify]\r\nmin_turn = \"15s\"\r\n"},
		{"never", "", never, "[notify]\nkinds = [\"approval\", \"input\", \"trouble\"]\n"},
		{"after never", "[notify]\nkinds = [\"approval\", \"input\", \"trouble\"]\n", 15 * time.Second,
			"[notify]\nmin_turn = \"15s\"\nkinds = [\"approval\", \"input\", \"waiting\", \"trouble\"]\n"},
		{"as it is", "[notify]\nmin_turn = \"15s\"\n", 15 * time.Second, "[notify]\nmin_turn = \"15s\"\n"},
		{"a rule of its own", "[notify]\nmin_turn = \"1m\"\n[[rules]]\ndir = \"/w\"\nmin_turn = \"2m\"\n", 15 * time.Second,
			"[notify]\nmin_turn = \"15s\"\n[[rules]]\ndir = \"/w\"\nmin_turn = \"2m\"\n"},
		{"a list on several lines", "[notify]\nkinds = [\n \"waiting\",\n]\n", never, ""},
		{"dotted", "notify.min_turn = \"1m\"\n", 15 * time.Second, ""},
		{"a mistake", "[notify]\nmin_turn = 1m\n", 15 * time.Second, ""},
	} {
		path := filepath.Join(t.TempDir(), "deskbell", "config.toml")
		if c.text != "" {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(c.text), 0o640); err != nil {
				t.Fatal(err)
			}
		}
		f := &File{Path: path, World: World{Home: "/home/ann"}}
		err := f.SetTurns(c.least)
		got, _ := os.ReadFile(path)
		switch {
		case c.want == "" && (err == nil || string(got) != c.text):
			t.Errorf("%s: got %q, %v, want the text as it was and an error", c.name, got, err)
		case c.want != "" && (err != nil || string(got) != c.want):
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
		if info, err := os.Stat(path); err == nil && c.text != "" && info.Mode().Perm() != 0o640 {
			t.Errorf("%s: mode %v", c.name, info.Mode())
		}
	}
}

// TestMake checks that the settings have a file to be shown, and that one that is there
// stays.
func TestMake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deskbell", "config.toml")
	f := &File{Path: path, World: World{Home: "/home/ann"}}
	if err := f.Make(); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != f.Sample() {
		t.Errorf("got %q", text)
	}
	if err := os.WriteFile(path, []byte("[tray]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Make(); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); strings.TrimSpace(string(text)) != "[tray]" {
		t.Errorf("got %q", text)
	}
}
