// Package opencode describes OpenCode: what its database, the plugin that we install and
// its processes tell. The recordings in testdata (1.18.33) are what it rests on.
package opencode

import (
	"regexp"

	"deskbell/engine"
	"deskbell/sources"
)

const tool = "opencode"

// homeEnv moves the folders of other programs, too.
const homeEnv = "XDG_DATA_HOME"

// CLI is OpenCode.
var CLI = sources.CLI{
	Name:    tool,
	Title:   "OpenCode",
	Terse:   true,
	HomeEnv: homeEnv, Home: ".local/share/opencode", HomeIn: tool,
	Runs:   runs,
	Resume: resume,
	Hooks:  map[string]func(sources.Hook) ([]engine.Event, error){"*": hook},
	Bases:  []sources.Base{{Glob: "opencode*.db", Known: "OpenCode 1.18.33", Tables: []sources.Table{sessions, messages, parts}}},
	// A title names the session, and nothing of what it does.
	Titles:  []sources.Form{{Lead: "OpenCode", Says: engine.Present}, {Lead: "OC | ", Says: engine.Present}},
	Install: install,
	Cure: map[engine.Witness]string{
		engine.Hook:       "deskbell hooks install --tool opencode, then start OpenCode anew: its database does not tell a permission prompt from a command that runs",
		engine.Listing:    "OpenCode keeps none: deskbell hooks install --tool opencode",
		engine.Transcript: "it appears with the first prompt, in OpenCode's database",
		engine.Process:    "its process is not in our process table: it runs in a container or on another machine, or its server does",
	},
}

// form is what a session's id looks like.
var form = regexp.MustCompile(`^ses_[0-9A-Za-z]{4,60}$`)

// resume is the command line that takes up a session. An id that OpenCode does not know is
// an error there.
func resume(id string) []string {
	if !form.MatchString(id) {
		return nil
	}
	return []string{tool, "-s", id}
}
