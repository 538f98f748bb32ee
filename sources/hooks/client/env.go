package client

// Env are the variables that are sent. They name the terminal, the CLI's home and
// what kind of session it is; an environment holds secrets and is never sent whole.
var Env = [...]string{
	"TERM", "TERM_PROGRAM", "TMUX", "TMUX_PANE", "STY", "WINDOW", "WINDOWID", "KITTY_WINDOW_ID", "KITTY_LISTEN_ON",
	"ALACRITTY_WINDOW_ID", "WEZTERM_PANE", "KONSOLE_VERSION", "KONSOLE_DBUS_SERVICE", "KONSOLE_DBUS_SESSION",
	"VTE_VERSION", "GNOME_TERMINAL_SCREEN", "TILIX_ID", "TERMINATOR_UUID", "XTERM_VERSION", "ITERM_SESSION_ID",
	"GHOSTTY_RESOURCES_DIR", "VSCODE_INJECTION", "VSCODE_IPC_HOOK_CLI", "TERMINAL_EMULATOR", "WT_SESSION",
	"SSH_TTY", "SSH_CONNECTION", "AGENT_MANAGER_TERMINAL_ID",
	"KONSOLE_DBUS_WINDOW", "WEZTERM_UNIX_SOCKET", "DISPLAY", "SWAYSOCK", "HYPRLAND_INSTANCE_SIGNATURE",
	"CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "OPENCODE_CONFIG_DIR", "GEMINI_CLI_HOME", "CURSOR_CONFIG_DIR",
	"XDG_DATA_HOME",
	"CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_PROJECT_DIR",
	"CLAUDE_CODE_PARENT_SESSION_ID",
}

// longestVariable is what a value may have: a longer one is not what its name says.
const longestVariable = 512

func environment(lookup func(string) (string, bool)) []string {
	out := make([]string, 0, len(Env))
	for _, name := range Env {
		if value, ok := lookup(name); ok && value != "" && len(value) <= longestVariable {
			out = append(out, name+"="+value)
		}
	}
	return out
}
