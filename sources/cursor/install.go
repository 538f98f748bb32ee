package cursor

import (
	"deskbell/sources"
)

// install is how its settings hold our hooks.
var install = &sources.Install{
	File: "hooks.json",
	// The editor reads that file too. One event that a version does not know voids all of it:
	// these are the ones it had from the first.
	Named: true,
	News: `The editor Cursor calls these hooks as well; deskbell takes no notice of that.
`,
	Flat:    true,
	Head:    sources.Members("version", 1),
	Command: "command",
	Low:     []string{"beforeSubmitPrompt", "stop"},
	Medium:  []string{"beforeShellExecution", "afterFileEdit"},
}
