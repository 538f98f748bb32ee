// Package copilot describes Copilot CLI: what its events, its lists, its hooks and its
// processes tell. The recordings in testdata (1.0.102) are what it rests on. Its title
// says nothing of its state.
package copilot

import (
	"deskbell/engine"
	"deskbell/sources"
)

const (
	tool    = "copilot"
	homeEnv = "COPILOT_HOME"
)

// CLI is Copilot CLI.
var CLI = sources.CLI{
	Name:    tool,
	Title:   "Copilot CLI",
	Terse:   true,
	HomeEnv: homeEnv,
	Home:    ".copilot",
	Runs:    runs,
	Resume:  resume,
	Hooks:   map[string]func(sources.Hook) ([]engine.Event, error){"*": hook},
	Install: install,
	Cure: map[engine.Witness]string{
		engine.Hook:       "deskbell hooks install --tool copilot: not needed, they are as fast as its events",
		engine.Listing:    "this version keeps no list of open sessions: update Copilot CLI to 1.0.102 or newer",
		engine.Transcript: "it appears with the first prompt",
		engine.Process:    "its process is not in our process table: it runs in a container or on another machine",
	},
	Files: []sources.Tree{
		{Glob: "open-sessions-state.json", Whole: true, Read: open},
		{Glob: "session-state/*/inuse.*.lock", Find: below("inuse.*.lock"), Whole: true, Read: lock},
		{Glob: "session-state/*/workspace.yaml", Find: below("workspace.yaml"), Whole: true, Read: workspace},
		{Glob: "session-state/*/events.jsonl", Find: below("events.jsonl"), Begin: events},
	},
}

// form is what a session id looks like; anything else never gets near a path.
var form = sources.UUID

// below finds files of one session.
func below(name string) func(w engine.Who) []string {
	return func(w engine.Who) []string {
		if !form.MatchString(w.ID) {
			return nil
		}
		return []string{"session-state/" + w.ID + "/" + name}
	}
}

func resume(id string) []string {
	if !form.MatchString(id) {
		return nil
	}
	return []string{tool, "--resume=" + id}
}
