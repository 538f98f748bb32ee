package claude

import (
	"regexp"

	"deskbell/sources"
)

// install is how its settings hold our hooks.
var install = &sources.Install{
	File:    "settings.json",
	Command: "command", Before: sources.Members("type", "command"),
	// An asynchronous hook delays nothing and shows nothing; its timeout is in seconds
	// (facts/claude.md 2.5). Older versions ignore args as a member of its own.
	After: sources.Members("async", true, "timeout", 5),
	Off:   "disableAllHooks",
	// What is late was not in 2.0.76.
	Low: []string{"SessionStart", "UserPromptSubmit", "PermissionRequest", "Stop", "StopFailure", "SessionEnd"},
	Medium: []string{
		"PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionDenied", "Notification",
		"SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "CwdChanged", "Elicitation", "ElicitationResult",
	},
	High: []string{"TeammateIdle", "TaskCreated", "TaskCompleted"},
	Late: []string{
		"StopFailure", "PostToolBatch", "PermissionDenied", "PostCompact", "CwdChanged", "Elicitation",
		"ElicitationResult", "TeammateIdle", "TaskCreated", "TaskCompleted",
	},
	Programs: []string{".local/bin/claude"}, Sessions: "sessions/*.json",
	List: regexp.MustCompile(`\["PreToolUse","PostToolUse"(?:,"[A-Za-z]+")*,"SessionStart"(?:,"[A-Za-z]+")*\]`),
}
