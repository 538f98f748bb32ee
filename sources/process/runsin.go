package process

import (
	"path/filepath"
	"slices"
	"strings"

	"deskbell/sources"
)

// terminal is a program that shows a terminal.
type terminal struct {
	label string
	names []string // what its process is called, in lower case, without ".exe"
	env   []string // what it leaves in the environment: "NAME", or "NAME=value"
}

// multiplexers outlive the terminal they were started in, whose variables they
// hand on.
var multiplexers = []terminal{
	{"tmux", []string{"tmux: server", "tmux"}, []string{"TMUX", "TERM_PROGRAM=tmux"}},
	{"screen", []string{"screen"}, []string{"STY"}},
	{"zellij", []string{"zellij"}, nil},
}

var emulators = []terminal{
	{"Cursor", []string{"cursor", "cursor helper", "cursor helper (plugin)"}, nil},
	{"JetBrains", []string{"idea", "idea64", "pycharm", "pycharm64", "goland", "goland64", "webstorm", "webstorm64", "phpstorm", "phpstorm64",
		"clion", "clion64", "rider", "rider64", "rubymine", "rubymine64", "rustrover", "rustrover64", "datagrip", "datagrip64", "studio", "studio64"},
		[]string{"TERMINAL_EMULATOR=JetBrains-JediTerm"}},
	{"Kitty", []string{"kitty"}, []string{"KITTY_WINDOW_ID", "TERM=xterm-kitty"}},
	{"Ghostty", []string{"ghostty"}, []string{"TERM_PROGRAM=ghostty", "TERM=xterm-ghostty", "GHOSTTY_RESOURCES_DIR"}},
	{"WezTerm", []string{"wezterm", "wezterm-gui", "wezterm-mux-server", "wezterm-mux-ser"}, []string{"TERM_PROGRAM=WezTerm", "WEZTERM_PANE"}},
	{"iTerm", []string{"iterm2", "iterm", "itermserver"}, []string{"TERM_PROGRAM=iTerm.app", "ITERM_SESSION_ID"}},
	{"Warp", []string{"warp", "warp-terminal"}, []string{"TERM_PROGRAM=WarpTerminal"}},
	{"Alacritty", []string{"alacritty"}, []string{"ALACRITTY_WINDOW_ID"}},
	{"Hyper", []string{"hyper"}, []string{"TERM_PROGRAM=Hyper"}},
	{"VS Code", []string{"code", "code-insiders", "codium", "vscodium", "code helper", "code helper (plugin)", "code - insiders"},
		[]string{"TERM_PROGRAM=vscode", "VSCODE_INJECTION", "VSCODE_IPC_HOOK_CLI"}},
	{"Terminal", []string{"terminal"}, []string{"TERM_PROGRAM=Apple_Terminal"}},
	{"Windows Terminal", []string{"windowsterminal"}, []string{"WT_SESSION"}},
	{"konsole", []string{"konsole", "yakuake"}, []string{"KONSOLE_VERSION"}},
	{"tilix", []string{"tilix"}, []string{"TILIX_ID"}},
	{"terminator", []string{"terminator"}, []string{"TERMINATOR_UUID"}},
	{"gnome-terminal", []string{"gnome-terminal-server", "gnome-terminal-"}, []string{"GNOME_TERMINAL_SCREEN"}},
	{"ptyxis", []string{"ptyxis", "ptyxis-agent"}, nil},
	{"kgx", []string{"kgx"}, nil},
	{"xfce4-terminal", []string{"xfce4-terminal"}, nil},
	{"mate-terminal", []string{"mate-terminal"}, nil},
	{"lxterminal", []string{"lxterminal"}, nil},
	{"qterminal", []string{"qterminal"}, nil},
	{"guake", []string{"guake"}, nil},
	{"foot", []string{"foot"}, []string{"TERM=foot", "TERM=foot-extra"}},
	{"xterm", []string{"xterm", "uxterm"}, []string{"XTERM_VERSION"}},
	{"urxvt", []string{"urxvt", "urxvtd", "rxvt"}, []string{"TERM=rxvt-unicode-256color", "TERM=rxvt-unicode"}},
	{"st", []string{"st"}, []string{"TERM=st-256color", "TERM=st"}},
	{"rio", []string{"rio"}, []string{"TERM_PROGRAM=rio"}},
	{"Zed", []string{"zed", "zed-editor"}, []string{"TERM_PROGRAM=zed"}},
	{"Emacs", []string{"emacs"}, nil},
	{"Neovim", []string{"nvim"}, nil},
	{"ssh", []string{"sshd", "sshd-session"}, []string{"SSH_TTY", "SSH_CONNECTION"}},
}

// farthest is how many ancestors are looked at.
const farthest = 32

// RunsIn names the terminal a process runs in, "" if that cannot be told. The
// nearest ancestor that is a terminal or multiplexer tells. Where none is found,
// a multiplexer's variables come first: inside of one those of the terminal it
// was started in are stale.
func RunsIn(p sources.Proc, parents func(pid int) (sources.Proc, bool)) string {
	seen := map[int]bool{p.PID: true}
	for at := p; parents != nil && !seen[at.Parent] && len(seen) < farthest; {
		seen[at.Parent] = true
		up, ok := parents(at.Parent)
		if !ok {
			break
		}
		if label := named(up); label != "" {
			return label
		}
		at = up
	}
	for _, table := range [][]terminal{multiplexers, emulators} {
		for _, t := range table {
			if slices.ContainsFunc(t.env, func(sign string) bool { return left(sign, p.Env) }) {
				return t.label
			}
		}
	}
	return ""
}

// named is the label of a terminal's own process.
func named(p sources.Proc) string {
	names := []string{p.Name, filepath.Base(p.Exe)}
	if len(p.Args) > 0 {
		names = append(names, filepath.Base(p.Args[0]))
	}
	for _, table := range [][]terminal{multiplexers, emulators} {
		for _, t := range table {
			for _, name := range names {
				if slices.Contains(t.names, strings.TrimSuffix(strings.ToLower(name), ".exe")) {
					return t.label
				}
			}
		}
	}
	return ""
}

// left reports whether a sign is in the environment.
func left(sign string, env map[string]string) bool {
	name, want, exact := strings.Cut(sign, "=")
	have := env[name]
	return have != "" && (!exact || have == want)
}
