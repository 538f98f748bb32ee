package hooks

import (
	"regexp"
	"slices"
)

// Density is how much of what a CLI can report is asked for.
type Density string

// The densities, each with the events of those before it.
const (
	Low    Density = "low"
	Medium Density = "medium"
	High   Density = "high"
)

var densities = []Density{Low, Medium, High}

// event is a hook of a CLI.
type event struct {
	name  string
	since Density // the least that has it
	late  bool    // not every version knows it
}

// target is a CLI whose settings can hold our hooks.
type target struct {
	name, title string
	// homeEnv names the variable that moves the CLI's home, home is the default
	// below the user's, homeIn is where it lies in what the variable names; file is the
	// settings file in it.
	homeEnv, home, homeIn, file string
	// plugin is the file as a whole, which is ours then, with {{client}} and {{events}} in
	// place of those; "": our hooks are entries among others.
	plugin string
	// named: it is installed only when the user names it.
	named bool
	// news is what the user is told beside the change, when something is installed.
	news string
	// flat: an event has entries. Otherwise it has groups, and those have entries.
	flat bool
	// key is the member of an entry that holds the command, around it those before
	// and those after it.
	key           string
	before, after []pair
	// args are what the client is called with; tellsEvent: and the event, because
	// the payload does not tell.
	args       string
	tellsEvent bool
	// head is what a file needs besides hooks.
	head []pair
	// off is the member of the file that silences all hooks.
	off    string
	events []event
	// program is what the CLI's is called; programs are places of it below the user's
	// home that may not be in PATH; sessions are files below its own home that are
	// named after running ones.
	program  string
	programs []string
	sessions string
	// list matches the list of all events in the program, from its first byte. nil:
	// the CLI does not mind unknown ones.
	list *regexp.Regexp
}

// targets are the CLIs, one a row.
var targets = []target{{
	name: "claude", title: "Claude Code",
	homeEnv: "CLAUDE_CONFIG_DIR", home: ".claude", file: "settings.json",
	key: "command", before: []pair{{"type", "command"}},
	// An asynchronous hook delays nothing and shows nothing; its timeout is in seconds
	// (facts/claude.md 2.5). Older versions ignore args as a member of its own.
	after: []pair{{"async", true}, {"timeout", 5}},
	args:  "claude",
	off:   "disableAllHooks",
	// What is late was not in 2.0.76.
	events: []event{
		{"SessionStart", Low, false}, {"UserPromptSubmit", Low, false}, {"PermissionRequest", Low, false}, {"Stop", Low, false},
		{"StopFailure", Low, true}, {"SessionEnd", Low, false},
		{"PreToolUse", Medium, false}, {"PostToolUse", Medium, false}, {"PostToolUseFailure", Medium, false}, {"PostToolBatch", Medium, true},
		{"PermissionDenied", Medium, true}, {"Notification", Medium, false}, {"SubagentStart", Medium, false}, {"SubagentStop", Medium, false},
		{"PreCompact", Medium, false}, {"PostCompact", Medium, true}, {"CwdChanged", Medium, true},
		{"Elicitation", Medium, true}, {"ElicitationResult", Medium, true},
		{"TeammateIdle", High, true}, {"TaskCreated", High, true}, {"TaskCompleted", High, true},
	},
	program: "claude", programs: []string{".local/bin/claude"}, sessions: "sessions/*.json",
	list: regexp.MustCompile(`\["PreToolUse","PostToolUse"(?:,"[A-Za-z]+")*,"SessionStart"(?:,"[A-Za-z]+")*\]`),
}, {
	name: "codex", title: "Codex",
	homeEnv: "CODEX_HOME", home: ".codex", file: "hooks.json",
	// Its app-server tells more, and a changed hook interrupts the user once.
	named: true,
	news: `The next Codex that starts shows "Hooks need review" and waits for an answer: choose "Trust all". Until then it skips these
hooks silently. It asks again whenever they change, so a density is best chosen once.
`,
	key: "command", before: []pair{{"type", "command"}},
	after: []pair{{"timeout", 5}}, // in seconds; it waits for a hook
	args:  "codex",
	events: []event{
		{"SessionStart", Low, false}, {"UserPromptSubmit", Low, false}, {"PermissionRequest", Low, false}, {"Stop", Low, false},
		{"Interrupt", Low, false}, {"SessionEnd", Low, false},
		{"PreToolUse", Medium, false}, {"PostToolUse", Medium, false}, {"SubagentStart", Medium, false}, {"SubagentStop", Medium, false},
		{"PreCompact", Medium, false}, {"PostCompact", Medium, false},
	},
}, {
	name: "opencode", title: "OpenCode",
	homeEnv: "XDG_CONFIG_HOME", home: ".config/opencode", homeIn: "opencode", file: "plugin/deskbell.js",
	plugin: opencodePlugin,
	// With a plug-in OpenCode waits at its start for a package of its own, until that has
	// been fetched once (1.18.33): without a network for minutes.
	named: true,
	news: `OpenCode reads it when it is started: sessions that run already tell nothing more until then. If it has never been started
with a network, the first start with a plug-in waits for one: OpenCode fetches a package of its own for plug-ins.
`,
	args: "opencode",
	events: []event{
		{"session.created", Low, false}, {"session.status", Low, false}, {"session.error", Low, false}, {"prompt", Low, false},
		{"permission.asked", Low, false}, {"permission.replied", Low, false},
		{"question.asked", Low, false}, {"question.replied", Low, false}, {"question.rejected", Low, false},
		{"tool", Medium, false}, {"compacting", Medium, false}, {"session.compacted", Medium, false},
	},
}, {
	name: "gemini", title: "Gemini CLI",
	homeEnv: "GEMINI_CLI_HOME", home: ".gemini", homeIn: ".gemini", file: "settings.json",
	key: "command", before: []pair{{"name", "deskbell"}, {"type", "command"}},
	after: []pair{{"timeout", 5000}}, // in milliseconds; it waits for a hook
	args:  "gemini",
	// Those of the model come with every piece of an answer, and say nothing more.
	events: []event{
		{"SessionStart", Low, false}, {"BeforeAgent", Low, false}, {"AfterAgent", Low, false}, {"Notification", Low, false}, {"SessionEnd", Low, false},
		{"BeforeTool", Medium, false}, {"AfterTool", Medium, false},
	},
}, {
	name: "copilot", title: "Copilot CLI",
	// It reads every file in that folder; this one is ours.
	homeEnv: "COPILOT_HOME", home: ".copilot", file: "hooks/deskbell.json",
	named: true, // its events tell as much, a moment later
	flat:  true,
	head:  []pair{{"version", 1}},
	key:   shellKey, before: []pair{{"type", "command"}},
	after: []pair{{"timeoutSec", 5}}, // it waits for a hook
	args:  "copilot", tellsEvent: true,
	events: []event{
		{"sessionStart", Low, false}, {"userPromptSubmitted", Low, false}, {"notification", Low, false}, {"agentStop", Low, false}, {"sessionEnd", Low, false},
		{"preToolUse", Medium, false}, {"postToolUse", Medium, false}, {"postToolUseFailure", Medium, false},
		{"subagentStart", Medium, false}, {"subagentStop", Medium, false},
	},
}, {
	name: "cursor", title: "Cursor agent",
	homeEnv: "CURSOR_CONFIG_DIR", home: ".cursor", file: "hooks.json",
	// The editor reads that file too. One event that a version does not know voids all of it:
	// these are the ones it had from the first.
	named: true,
	news: `The editor Cursor calls these hooks as well; deskbell takes no notice of that.
`,
	flat: true,
	head: []pair{{"version", 1}},
	key:  "command",
	args: "cursor",
	events: []event{
		{"beforeSubmitPrompt", Low, false}, {"stop", Low, false},
		{"beforeShellExecution", Medium, false}, {"afterFileEdit", Medium, false},
	},
}}

// at returns the events of a density.
func (t target) at(d Density) []string {
	var names []string
	for _, e := range t.events {
		if slices.Index(densities, e.since) <= slices.Index(densities, d) {
			names = append(names, e.name)
		}
	}
	return names
}

// densityOf returns the least density that has all of events, of which the CLI may
// not know some any more.
func (t target) densityOf(events []string) Density {
	most := 0
	for _, e := range t.events {
		if slices.Contains(events, e.name) {
			most = max(most, slices.Index(densities, e.since))
		}
	}
	return densities[most]
}

// entry is the hook entry that runs command.
func (t target) entry(command string) []pair {
	return slices.Concat(t.before, []pair{{t.key, command}}, t.after)
}

// group is what the array of an event gets for command.
func (t target) group(command string) []pair {
	if t.flat {
		return t.entry(command)
	}
	return []pair{{"hooks", []any{t.entry(command)}}}
}
