// Package all is the one list of the CLIs deskbell knows.
package all

import (
	"deskbell/sources"
	"deskbell/sources/claude"
	"deskbell/sources/codex"
	"deskbell/sources/copilot"
	"deskbell/sources/cursor"
	"deskbell/sources/gemini"
	"deskbell/sources/opencode"
)

// CLIs lists them in the order in which they are shown.
func CLIs() []sources.CLI {
	return []sources.CLI{claude.CLI, codex.CLI, opencode.CLI, gemini.CLI, copilot.CLI, cursor.CLI}
}
