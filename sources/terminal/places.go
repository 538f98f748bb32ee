package terminal

// places are the programs that can be asked for their panes. A pane is in at most one of
// them: RunsIn names what is nearest to it.
var places = []place{
	{"tmux", runsIn("tmux"), findTmux},
	{"screen", runsIn("screen"), findScreen},
	{"kitty", both(runsIn("Kitty"), has("KITTY_LISTEN_ON")), findKitty},
	{"WezTerm", both(runsIn("WezTerm"), has("WEZTERM_PANE")), findWezTerm},
	{"konsole", both(runsIn("konsole"), has("KONSOLE_DBUS_SERVICE")), findKonsole},
	{"iTerm", runsIn("iTerm"), findScripted(iTerm)},
	{"Terminal", runsIn("Terminal"), findScripted(appleTerminal)},
}

func runsIn(label string) func(Pane) bool {
	return func(p Pane) bool { return p.RunsIn == label }
}

func has(variable string) func(Pane) bool {
	return func(p Pane) bool { return p.variable(variable) != "" }
}

func both(a, b func(Pane) bool) func(Pane) bool {
	return func(p Pane) bool { return a(p) && b(p) }
}

// Terminals by what is known of them where they cannot be asked.
var (
	// single are those that show one terminal in each window.
	single = []string{"xterm", "urxvt", "st", "Alacritty", "foot"}
	// named are those with the name of their folder in the title of each window.
	named = []string{"VS Code", "Cursor", "JetBrains", "Zed"}
	// elsewhere are those whose windows are on another machine, or are none.
	elsewhere = []string{"ssh"}
)
