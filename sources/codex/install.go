package codex

import (
	"deskbell/sources"
)

// install is how its settings hold our hooks.
var install = &sources.Install{
	File: "hooks.json",
	// Its app-server tells more, and a changed hook interrupts the user once.
	Named: true,
	News: `The next Codex that starts shows "Hooks need review" and waits for an answer: choose "Trust all". Until then it skips these
hooks silently. It asks again whenever they change, so a density is best chosen once.
`,
	Command: "command", Before: sources.Members("type", "command"),
	After:  sources.Members("timeout", 5), // in seconds; it waits for a hook
	Low:    []string{"SessionStart", "UserPromptSubmit", "PermissionRequest", "Stop", "Interrupt", "SessionEnd"},
	Medium: []string{"PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"},
}
