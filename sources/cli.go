package sources

import (
	"cmp"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"deskbell/engine"
)

// Proc is one running process of our own user.
type Proc struct {
	PID, Parent int
	Ticks       uint64 // start in clock ticks since boot; with PID its identity
	TTY         string // its controlling terminal ("/dev/pts/3"); "": none
	Name        string // what the kernel calls it
	Exe         string // the file it runs, "" where that cannot be read
	Dir         string // the folder it works in, by real path
	Args        []string
	Env         map[string]string // only the variables of [EnvKept]
}

// CLI describes one agent CLI. Every field but Name and Title may be nil: the CLI
// cannot do that, and the rules that need it stay silent.
type CLI struct {
	Name  string // in configuration and API: "claude"
	Title string // in sentences: "Claude Code"
	// Program is what its program is called, where that is not Name.
	Program string
	// HomeEnv names the variable that moves the CLI's home; Home is the default
	// below the user's home folder. HomeIn is where the home lies in what the variable
	// names; "": there.
	HomeEnv, Home, HomeIn string
	// Runs tells whether p is one of this CLI's sessions. Loose runs are told too,
	// so that their files can be disregarded.
	Runs func(p Proc) (engine.Who, bool)
	// Relaunches tells of a CLI that starts itself once more and waits for that: of two in
	// a line it is the second that works.
	Relaunches bool
	// Hooks translates the CLI's hooks by event name; "*" takes those without a name
	// of their own.
	Hooks map[string]func(h Hook) ([]engine.Event, error)
	// Install is how its settings hold our hooks.
	Install *Install
	// Files are the kinds of file the CLI keeps below its home.
	Files []Tree
	// Resume is the command line that takes up the session of that id; nil for what is no
	// id of the CLI's form.
	Resume func(id string) []string
	// CallEnv names the variable that tells the processes of a call which it is.
	CallEnv string
	// Live makes what hears the CLI's own server of a home, by real path. look looks up a
	// process.
	Live func(home string, look func(pid int) (Proc, bool)) Listener
	// Terse tells that it may show no sign of life before its first prompt.
	Terse bool
	// Bases are the databases it keeps there.
	Bases []Base
	// Titles are the forms that the title of its terminal takes.
	Titles []Form
	// Cure says, per witness that tells nothing of a session, how to add it.
	Cure map[engine.Witness]string
	// Answers tells what somebody else's hooks in the settings of a session in dir may
	// do to its permission requests and the ends of its turns. read opens a settings file.
	Answers func(home, dir string, read func(path string) ([]byte, error)) engine.Answering
}

// Hook is one call of the hook client, as it arrived.
type Hook struct {
	Event   string
	Payload json.RawMessage
	At      time.Time // when the client sent it
	PID     int       // of the CLI
	Ticks   uint64
	TTY     string
	Env     map[string]string // the variables the client may look at
	// Caller looks up the process PID; nil: nobody can.
	Caller func() (Proc, bool)
}

// Read decodes the payload, in which id is the session's. Where that is known, a field of
// another shape than to has it is passed over, and the others count.
func (h *Hook) Read(to any, id *string) error {
	err := json.Unmarshal(h.Payload, to)
	if odd := (*json.UnmarshalTypeError)(nil); errors.As(err, &odd) && *id != "" {
		return nil
	}
	return err
}

// Tree is one kind of file below a CLI's home.
type Tree struct {
	// Glob is the slash-separated pattern of the files below the home.
	Glob string
	// Whole files are small and read anew at each change, at once. Others are logs:
	// lines are appended, and read after the usual coalescing.
	Whole bool
	// Find gives the globs of the files of one live session; nil: the tree is small
	// enough to read all of it.
	Find func(w engine.Who) []string
	// Root names the file below the home that holds the folder which the session of a log
	// works in, where its lines do not say; nil: they do. RootIn reads it out of that; nil:
	// it is all there is in it.
	Root   func(rel string) string
	RootIn func(text []byte) string
	// Read translates a whole file. Where the tree is not Whole its files are never
	// opened: that they are there is all that counts, and Text is empty.
	Read func(f File) ([]engine.Event, error)
	// Record translates one line of a log.
	Record func(rel string, line []byte) ([]engine.Event, error)
	// Begin, instead of Record, is for logs whose first line says whose they are. It makes
	// what translates the lines of such a log, the first one included; nil: it is nobody's.
	Begin func(rel string, first []byte) Translate
}

// Translate translates one line of a log.
type Translate func(line []byte) ([]engine.Event, error)

// Lines reports whether the files of the tree are read line by line.
func (t *Tree) Lines() bool { return !t.Whole && (t.Record != nil || t.Begin != nil) }

// Translator is what translates the lines of one log of the tree. nil: it is nobody's.
func (t *Tree) Translator(rel string, first []byte) Translate {
	if t.Begin != nil {
		return t.Begin(rel, first)
	}
	return func(line []byte) ([]engine.Event, error) { return t.Record(rel, line) }
}

// File is a whole file as read.
type File struct {
	Rel  string    // its path below the home, with slashes
	Text []byte    // nil: it is gone
	Mod  time.Time // when it was last written; for one that is gone, when that was seen
}

// Base is a database (SQLite) below a CLI's home. It is read, and never in a way that
// its CLI could notice.
type Base struct {
	// Glob is the slash-separated pattern of its file below the home; of several that fit
	// each is read.
	Glob string
	// Known names the newest version of the CLI whose layout is known: "OpenCode 1.18.33".
	Known string
	// Tables are what is read of it.
	Tables []Table
}

// Table is one table of a [Base] that rows are added to. What of it is read is said in
// SQL, in which it is called t.
type Table struct {
	Name string
	Join string // what follows its name: "JOIN session s ON s.id = t.session_id"
	// Columns are read, by the names that [Row] has them under. One is "id", which a row
	// keeps for ever.
	Columns map[string]string
	// Session is the condition for the last rows of the session ?1, which indices must
	// answer; "": they are not looked for when a session is asked about.
	Session string
	// Old tables are read at a start: their last rows tell which sessions there are.
	Old bool
	// Open reports whether r may still change; nil: none does. Such rows are read again at
	// each change.
	Open func(r Row) bool
	// Read translates a row.
	Read func(r Row) ([]engine.Event, error)
}

// Row is one row of a [Table], by the names of its columns: text, numbers, nil.
type Row map[string]any

// Text is the text in a column, "" where there is none.
func (r Row) Text(column string) string {
	s, _ := r[column].(string)
	return s
}

// Int is the whole number in a column, 0 where there is none.
func (r Row) Int(column string) int64 {
	switch n := r[column].(type) {
	case int64:
		return n
	case float64: // in a recording
		return int64(n)
	}
	return 0
}

// Form is one form of a terminal's title.
type Form struct {
	Lead  string       // how such a title begins; the longest lead that fits tells the form
	Says  engine.Level // [engine.Present]: nothing, but that it is another form
	Moves bool         // the CLI changes it all the time while it holds
}

// Folder is the folder that the text of a Root names.
func (t *Tree) Folder(text []byte) string {
	if t.RootIn != nil {
		return t.RootIn(text)
	}
	return strings.TrimSpace(string(text))
}

// Binary is what the CLI's program is called.
func (c *CLI) Binary() string { return cmp.Or(c.Program, c.Name) }

// HomeAt is the home that the value of HomeEnv means; "": the default.
func (c *CLI) HomeAt(value string) string {
	if value == "" {
		return ""
	}
	return filepath.Join(value, filepath.FromSlash(c.HomeIn))
}

// Alone are those of its runs, by pid, that are sessions of their own: not the forks that
// have not become another program yet, nor what has started itself once more and waits.
func (c *CLI) Alone(runs map[int]Proc) map[int]bool {
	alone := make(map[int]bool, len(runs))
	for pid := range runs {
		alone[pid] = true
	}
	for pid, p := range runs {
		parent, started := runs[p.Parent]
		switch {
		case !started:
		case c.Relaunches && !slices.Equal(p.Args, parent.Args):
			alone[p.Parent] = false
		default:
			alone[pid] = false
		}
	}
	return alone
}

// Titled is what a title says in the forms of the CLI. ok is false where it is none of
// them.
func (c *CLI) Titled(title string) (t engine.Titled, ok bool) {
	for _, f := range c.Titles {
		if strings.HasPrefix(title, f.Lead) && (!ok || len(f.Lead) > len(t.Form)) {
			t, ok = engine.Titled{Form: f.Lead, Level: f.Says, Moves: f.Moves}, true
		}
	}
	return t, ok
}

// TermEnv names the terminal that deskbell hosts and a process was started in. Who is
// started by a server inherits it too, and is not there.
const TermEnv = "AGENT_MANAGER_TERMINAL_ID"

// EnvKept are the variables of a process that may be looked at: those that name
// its terminal. An environment holds secrets and is never kept whole.
var EnvKept = []string{
	"TERM", "TERM_PROGRAM", "TMUX", "TMUX_PANE", "STY", "WINDOW", "WINDOWID", "KITTY_WINDOW_ID", "KITTY_LISTEN_ON",
	"ALACRITTY_WINDOW_ID", "WEZTERM_PANE", "KONSOLE_VERSION", "KONSOLE_DBUS_SERVICE", "KONSOLE_DBUS_SESSION",
	"VTE_VERSION", "GNOME_TERMINAL_SCREEN", "TILIX_ID", "TERMINATOR_UUID", "XTERM_VERSION", "ITERM_SESSION_ID",
	"GHOSTTY_RESOURCES_DIR", "VSCODE_INJECTION", "VSCODE_IPC_HOOK_CLI", "TERMINAL_EMULATOR", "WT_SESSION",
	"SSH_TTY", "SSH_CONNECTION", TermEnv,
	"KONSOLE_DBUS_WINDOW", "WEZTERM_UNIX_SOCKET", "DISPLAY", "SWAYSOCK", "HYPRLAND_INSTANCE_SIGNATURE",
	"CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "OPENCODE_CONFIG_DIR", "GEMINI_CLI_HOME", "CURSOR_CONFIG_DIR",
	"XDG_DATA_HOME",
}
