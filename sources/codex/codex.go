// Package codex describes Codex: what its rollouts, its titles and its processes tell.
// The recordings in testdata (0.98, 0.128, 0.171) are what it rests on.
package codex

import (
	"deskbell/engine"
	"deskbell/sources"
)

const (
	tool    = "codex"
	homeEnv = "CODEX_HOME"
)

// CLI is Codex.
var CLI = sources.CLI{
	Name:    tool,
	Title:   "Codex",
	HomeEnv: homeEnv,
	Home:    ".codex",
	Runs:    runs,
	Hooks:   map[string]func(sources.Hook) ([]engine.Event, error){"*": hook},
	Live:    newLive,
	CallEnv: "CODEX_TOOL_CALL_ID",
	Resume:  resume,
	Titles:  titles(),
	Install: install,
	Cure: map[engine.Witness]string{
		engine.Hook:       "deskbell hooks install --tool codex (Codex asks once whether you trust them)",
		engine.Listing:    "its app-server is not running: versions from 0.171 start one, unless they run with --no-daemon",
		engine.Transcript: "it appears with the first prompt",
		engine.Process:    "its terminal is not in our process table: it runs in a container or on another machine",
	},
	Files: []sources.Tree{
		{Glob: "sessions/*/*/*/rollout-*.jsonl", Find: rollouts, Begin: rollout},
	},
}

// form is what a thread's id looks like; anything else never gets near a path.
var form = sources.UUID

// resume takes up a thread. From another folder than its own Codex first asks in which.
func resume(id string) []string {
	if !form.MatchString(id) {
		return nil
	}
	return []string{tool, "resume", id}
}

// rollouts finds the log of one thread: it lies in the folder of the day it began.
func rollouts(w engine.Who) []string {
	if !form.MatchString(w.ID) {
		return nil
	}
	return []string{"sessions/*/*/*/rollout-*-" + w.ID + ".jsonl"}
}

// spinner are the glyphs that a title begins with at work, ten a second.
const spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

// titles are the forms of the title: it also moves while it asks, once a second, and is
// the bare name of the thread and the folder at rest.
func titles() (forms []sources.Form) {
	for _, glyph := range spinner {
		forms = append(forms, sources.Form{Lead: string(glyph), Says: engine.ListedBusy, Moves: true})
	}
	return append(forms,
		sources.Form{Lead: "[ ! ] Action Required", Says: engine.ListedAsking, Moves: true},
		sources.Form{Lead: "[ . ] Action Required", Says: engine.ListedAsking, Moves: true},
		sources.Form{Lead: "", Says: engine.Present},
	)
}
