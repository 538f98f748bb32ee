package copilot

import (
	"deskbell/sources"
)

// install is how its settings hold our hooks.
var install = &sources.Install{
	// It reads every file in that folder; this one is ours.
	File:    "hooks/deskbell.json",
	Named:   true, // its events tell as much, a moment later
	Flat:    true,
	Head:    sources.Members("version", 1),
	Command: "bash", CommandWindows: "powershell", Before: sources.Members("type", "command"),
	After:      sources.Members("timeoutSec", 5), // it waits for a hook
	TellsEvent: true,
	Low:        []string{"sessionStart", "userPromptSubmitted", "notification", "agentStop", "sessionEnd"},
	Medium:     []string{"preToolUse", "postToolUse", "postToolUseFailure", "subagentStart", "subagentStop"},
}
