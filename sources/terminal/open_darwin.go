package terminal

import (
	"os/exec"
	"path/filepath"
	"strings"
)

// The scripts get the command as an argument, never as a part of their text.
var (
	newTerminal = []string{
		`on run argv`, `tell application id "com.apple.Terminal"`, `do script (item 1 of argv)`, `activate`, `end tell`, `end run`,
	}
	newITerm = []string{
		`on run argv`, `tell application id "com.googlecode.iterm2"`, `set w to (create window with default profile)`,
		`tell current session of w to write text (item 1 of argv)`, `activate`, `end tell`, `end run`,
	}
)

// opens is the command line that opens w: in Terminal, in iTerm if so asked, or in what
// else your configuration names.
func (t *Terminals) opens(w Window) ([]string, error) {
	script := newTerminal
	if len(w.With) > 0 {
		switch name := strings.TrimSuffix(filepath.Base(w.With[0]), ".app"); strings.ToLower(name) {
		case "terminal":
		case "iterm", "iterm2":
			script = newITerm
		default:
			return choose(w, t.getenv, exec.LookPath)
		}
	}
	argv := []string{"osascript"}
	for _, line := range script {
		argv = append(argv, "-e", line)
	}
	return append(argv, "cd "+quoted(w.Dir)+" && exec "+quoted(w.Argv...)), nil
}
