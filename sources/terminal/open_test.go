package terminal

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestChoose checks which terminal is taken, and its arguments (C117).
func TestChoose(t *testing.T) {
	w := Window{Dir: "/w/My $(touch x) 'Project'", Argv: []string{"/bin/deskbell", "host", "--", "claude", "it's"}}
	for _, c := range []struct {
		name, here, env string
		with            []string
		want            string
	}{
		{"the first that is there", "xterm x-terminal-emulator", "", nil, "/x-terminal-emulator|-e|CMD"},
		{"the desktop's own", "kitty konsole", "XDG_CURRENT_DESKTOP=KDE", nil, "/konsole|--workdir|DIR|-e|CMD"},
		{"of a desktop with two names", "kitty gnome-terminal", "XDG_CURRENT_DESKTOP=ubuntu:GNOME", nil, "/gnome-terminal|--working-directory=DIR|--|CMD"},
		{"$TERMINAL", "kitty alacritty", "TERMINAL=alacritty", nil, "/alacritty|--working-directory|DIR|-e|CMD"},
		{"$TERMINAL that is gone", "kitty", "TERMINAL=alacritty", nil, "/kitty|--directory|DIR|CMD"},
		{"yours", "kitty foot", "TERMINAL=kitty", []string{"foot", "-f", "Mono"}, "/foot|-f|Mono|-D|DIR|CMD"},
		{"yours, which nobody knows", "mine", "", []string{"mine"}, "/mine|-e|CMD"},
		{"yours, in your own words", "mine", "", []string{"mine", "--"}, "/mine|--|CMD"},
		{"one text", "lxterminal", "", nil, `/lxterminal|--working-directory=DIR|-e|/bin/deskbell host -- claude 'it'\''s'`},
		{"xfce", "xfce4-terminal", "XDG_CURRENT_DESKTOP=XFCE", nil, "/xfce4-terminal|--working-directory=DIR|-x|CMD"},
	} {
		here := strings.Fields(c.here)
		w.With = c.with
		argv, err := choose(w, func(name string) string {
			value, _ := strings.CutPrefix(c.env, name+"=")
			if value == c.env {
				return ""
			}
			return value
		}, func(name string) (string, error) {
			if slices.Contains(here, name) {
				return "/" + name, nil
			}
			return "", exec.ErrNotFound
		})
		want := strings.ReplaceAll(strings.ReplaceAll(c.want, "CMD", strings.Join(w.Argv, "|")), "DIR", w.Dir)
		if got := strings.Join(argv, "|"); err != nil || got != want {
			t.Errorf("%s: got %s, want %s: %v", c.name, got, want, err)
		}
	}
	none := func(string) (string, error) { return "", exec.ErrNotFound }
	w.With = []string{"mine"}
	if _, err := choose(w, func(string) string { return "" }, none); err == nil || !strings.Contains(err.Error(), "of your configuration") {
		t.Errorf("got %v", err)
	}
	w.With = nil
	var b *Blocked
	if _, err := choose(w, func(string) string { return "" }, none); !errors.As(err, &b) {
		t.Errorf("got %v", err)
	}
}

// TestUnmarked checks that nothing of the terminal that we were started in is handed on.
func TestUnmarked(t *testing.T) {
	got := unmarked([]string{"HOME=/h", "TERM=xterm", "TMUX=x", "TMUX_PANE=%1", "KITTY_WINDOW_ID=1", "VSCODE_PID=2", "WINDOWID=3", "DISPLAY=:0", "ANTHROPIC_API_KEY=k", "TERMINAL=kitty", "LANG=C"})
	if want := "HOME=/h DISPLAY=:0 ANTHROPIC_API_KEY=k TERMINAL=kitty LANG=C"; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, " "), want)
	}
}

// TestFolderGone checks that a folder that is gone is said, and no other taken.
func TestFolderGone(t *testing.T) {
	gone := t.TempDir() + "/gone"
	_, err := New(nil).Open(Window{Dir: gone, Argv: []string{"true"}}, os.Environ())
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "make the folder again, or choose another") {
		t.Errorf("got %v", err)
	}
}
