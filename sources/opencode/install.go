package opencode

import (
	_ "embed"

	"deskbell/sources"
)

// plugin calls the client.
//
//go:embed plugin.js
var plugin string

// install is how its settings hold our hooks.
var install = &sources.Install{
	HomeEnv: "XDG_CONFIG_HOME", Home: ".config/opencode", HomeIn: "opencode", File: "plugin/deskbell.js",
	Plugin: plugin,
	// With a plug-in OpenCode waits at its start for a package of its own, until that has
	// been fetched once (1.18.33): without a network for minutes.
	Named: true,
	News: `OpenCode reads it when it is started: sessions that run already tell nothing more until then. If it has never been started
with a network, the first start with a plug-in waits for one: OpenCode fetches a package of its own for plug-ins.
`,
	Low: []string{
		"session.created", "session.status", "session.error", "prompt", "permission.asked", "permission.replied",
		"question.asked", "question.replied", "question.rejected",
	},
	Medium: []string{"tool", "compacting", "session.compacted"},
}
