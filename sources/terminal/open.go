package terminal

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Window is a terminal window to be opened.
type Window struct {
	Dir  string
	Argv []string // what runs in it
	// With is the terminal that you asked for, and its options; empty: the desktop's.
	With []string
}

// emulator is a terminal, and how it is told what to do. Its name is that of its program.
type emulator struct {
	name string
	// in names the folder; nil: it begins in that which it is started in.
	in func(dir string) []string
	// run is what the command is put behind.
	run []string
	// line: it takes the command as one text.
	line bool
}

func spaced(flag string) func(string) []string {
	return func(dir string) []string { return []string{flag, dir} }
}

func joined(flag string) func(string) []string {
	return func(dir string) []string { return []string{flag + dir} }
}

// emulators are the terminals that are known, as facts of their versions of 2022 to 2026.
// Those of which only the name is known get the command behind -e.
var emulators = []emulator{
	{name: "xdg-terminal-exec"},
	{name: "gnome-terminal", in: joined("--working-directory="), run: []string{"--"}},
	{name: "ptyxis", in: joined("--working-directory="), run: []string{"--new-window", "--"}},
	{name: "kgx", in: joined("--working-directory="), run: []string{"--"}},
	{name: "konsole", in: spaced("--workdir"), run: []string{"-e"}},
	{name: "xfce4-terminal", in: joined("--working-directory="), run: []string{"-x"}},
	{name: "mate-terminal", in: joined("--working-directory="), run: []string{"-x"}},
	{name: "kitty", in: spaced("--directory")},
	{name: "ghostty", in: joined("--working-directory="), run: []string{"-e"}},
	{name: "wezterm", in: func(dir string) []string { return []string{"start", "--cwd", dir} }, run: []string{"--"}},
	{name: "alacritty", in: spaced("--working-directory"), run: []string{"-e"}},
	{name: "foot", in: spaced("-D")},
	{name: "terminator", in: joined("--working-directory="), run: []string{"-u", "-x"}},
	{name: "tilix", in: spaced("-w"), run: []string{"-e"}, line: true},
	{name: "lxterminal", in: joined("--working-directory="), run: []string{"-e"}, line: true},
	{name: "qterminal", in: spaced("-w"), run: []string{"-e"}, line: true},
	{name: "urxvt", in: spaced("-cd"), run: []string{"-e"}},
	{name: "st", run: []string{"-e"}},
	{name: "x-terminal-emulator", run: []string{"-e"}},
	{name: "xterm", run: []string{"-e"}},
}

// desktops are the terminals that belong to a desktop, by XDG_CURRENT_DESKTOP.
var desktops = map[string][]string{
	"GNOME": {"gnome-terminal", "ptyxis", "kgx"}, "KDE": {"konsole"}, "XFCE": {"xfce4-terminal"}, "MATE": {"mate-terminal"},
	"LXQt": {"qterminal"}, "LXDE": {"lxterminal"},
}

// preferred are the others, in the order in which they are looked for.
var preferred = []string{
	"kitty", "ghostty", "wezterm", "alacritty", "foot", "gnome-terminal", "ptyxis", "kgx", "konsole", "xfce4-terminal", "mate-terminal",
	"tilix", "terminator", "qterminal", "lxterminal", "urxvt", "x-terminal-emulator", "xterm",
}

// begins are the options that the command follows.
var begins = []string{"-e", "-x", "--"}

// argv is the command line with which the program path, called as with says, opens w.
func (e emulator) argv(path string, with []string, w Window) []string {
	out := append([]string{path}, with...)
	if len(with) > 0 && slices.Contains(begins, with[len(with)-1]) { // you know better
		return append(out, w.Argv...)
	}
	if e.in != nil {
		out = append(out, e.in(w.Dir)...)
	}
	out = append(out, e.run...)
	if e.line {
		return append(out, quoted(w.Argv...))
	}
	return append(out, w.Argv...)
}

// known is the terminal whose program has that name.
func known(program string) emulator {
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	for _, e := range emulators {
		if e.name == name {
			return e
		}
	}
	return emulator{name: name, run: []string{"-e"}}
}

// choose is the command line that opens w.
func choose(w Window, getenv func(string) string, find func(string) (string, error)) ([]string, error) {
	if len(w.With) > 0 {
		path, err := find(w.With[0])
		if err != nil {
			return nil, fmt.Errorf("the terminal of your configuration: %w", err)
		}
		return known(path).argv(path, w.With[1:], w), nil
	}
	var names []string
	if own := getenv("TERMINAL"); own != "" {
		names = append(names, own)
	}
	names = append(names, "xdg-terminal-exec")
	for _, desktop := range strings.Split(getenv("XDG_CURRENT_DESKTOP"), ":") {
		names = append(names, desktops[desktop]...)
	}
	for _, name := range append(names, preferred...) {
		if path, err := find(name); err == nil {
			return known(path).argv(path, nil, w), nil
		}
	}
	return nil, blocked("no terminal is found: name yours with `[terminal] command` in the configuration")
}

// left are the variables that a terminal leaves to what runs in it. They would be wrong in
// another one.
var left = []string{
	"TERM", "TERMCAP", "COLORTERM", "COLORFGBG", "STY", "WINDOW", "WINDOWID", "SHLVL", "PWD", "OLDPWD", "COLUMNS", "LINES", "SSH_TTY", "WT_SESSION", "WT_PROFILE_ID", "VTE_VERSION", "SHELL_SESSION_ID",
}

// leading are how others of them begin.
var leading = []string{"TERM_", "TERMINAL_EMULATOR", "TERMINATOR_", "TMUX", "KITTY_", "ALACRITTY_", "WEZTERM_", "KONSOLE_", "GNOME_TERMINAL_", "TILIX_", "XTERM_", "GHOSTTY_", "ITERM_", "LC_TERMINAL", "VSCODE_", "ZELLIJ", "NVIM"}

// unmarked is an environment without what a terminal has left in it.
func unmarked(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(left, name) || slices.ContainsFunc(leading, func(p string) bool { return strings.HasPrefix(name, p) })
	})
}

// Open opens a window. ended tells how the program that does so has ended: some are gone
// at once, and leave the window to another process. env is its environment, to which
// nothing of the terminal that we were started in is handed on.
func (t *Terminals) Open(w Window, env []string) (ended <-chan error, err error) {
	if info, err := os.Stat(w.Dir); err != nil {
		return nil, fmt.Errorf("%w: make the folder again, or choose another", err)
	} else if !info.IsDir() {
		return nil, blocked("%s is no folder: choose one", w.Dir)
	}
	argv, err := t.opens(w)
	if err != nil {
		return nil, advised(err, quoted("cd", w.Dir)+" && "+quoted(w.Argv...))
	}
	c := exec.Command(argv[0], argv[1:]...)
	c.Dir, c.Env, c.SysProcAttr = w.Dir, unmarked(env), apart
	said := &bytes.Buffer{}
	c.Stderr = &limited{said}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", argv[0], err)
	}
	out := make(chan error, 1)
	go func() { // ends with the window
		err := c.Wait()
		if err != nil {
			line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
			err = fmt.Errorf("%s: %w: %s", filepath.Base(argv[0]), err, line)
		}
		out <- err
	}()
	return out, nil
}

// limited takes the beginning of what a program says, and lets it go on.
type limited struct{ to *bytes.Buffer }

// Write takes text.
func (l *limited) Write(text []byte) (int, error) {
	if room := 1000 - l.to.Len(); room > 0 {
		l.to.Write(text[:min(room, len(text))])
	}
	return len(text), nil
}
