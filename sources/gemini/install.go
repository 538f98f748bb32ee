package gemini

import (
	"deskbell/sources"
)

// install is how its settings hold our hooks.
var install = &sources.Install{
	File:    "settings.json",
	Command: "command", Before: sources.Members("name", "deskbell", "type", "command"),
	After: sources.Members("timeout", 5000), // in milliseconds; it waits for a hook
	// Those of the model come with every piece of an answer, and say nothing more.
	Low:    []string{"SessionStart", "BeforeAgent", "AfterAgent", "Notification", "SessionEnd"},
	Medium: []string{"BeforeTool", "AfterTool"},
}
