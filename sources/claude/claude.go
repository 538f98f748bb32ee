// Package claude describes Claude Code: what its files, its transcripts and its
// processes tell. facts/claude.md (2.1.332) and testdata are what it rests on.
package claude

import (
	"deskbell/engine"
	"deskbell/sources"
)

const (
	tool    = "claude"
	homeEnv = "CLAUDE_CONFIG_DIR"
)

// CLI is Claude Code.
var CLI = sources.CLI{
	Name:    tool,
	Title:   "Claude Code",
	HomeEnv: homeEnv,
	Home:    ".claude",
	Runs:    runs,
	Hooks:   map[string]func(sources.Hook) ([]engine.Event, error){"*": hook},
	Answers: answers,
	Resume:  resume,
	// Outside tmux; inside it the title never changes (facts/claude.md section 7).
	Titles: []sources.Form{
		{Lead: "◐", Says: engine.ListedBusy, Moves: true},
		{Lead: "◑", Says: engine.ListedBusy, Moves: true},
		{Lead: "✳", Says: engine.Present}, // at rest, or a dialog
	},
	Install: install,
	Cure: map[engine.Witness]string{
		engine.Hook:       "deskbell hooks install --tool claude",
		engine.Listing:    "this version keeps no session file: update Claude Code to 2.1.128 or newer",
		engine.Transcript: "it appears with the first prompt, unless it runs with --no-session-persistence",
		engine.Process:    "its process is not in our process table: it runs in a container or on another machine",
	},
	Files: []sources.Tree{
		{Glob: "sessions/*.json", Whole: true, Read: session},
		{Glob: "sessions/*.key", Read: starting},
		{Glob: "projects/*/*.jsonl", Find: below(".jsonl"), Record: transcript},
		{Glob: "projects/*/*/subagents/agent-*.jsonl", Find: below("/subagents/agent-*.jsonl"), Record: transcript},
		{Glob: "projects/*/*/subagents/agent-*.meta.json", Find: below("/subagents/agent-*.meta.json"), Whole: true, Read: meta},
	},
}

// form is what a session id looks like; anything else never gets near a path.
var form = sources.UUID

// resume takes up a session.
func resume(id string) []string {
	if !form.MatchString(id) {
		return nil
	}
	return []string{tool, "--resume", id}
}

// below finds the files of one session in whatever project folder it has: the
// folder's name is not decodable and is never built (C67, C68).
func below(rest string) func(w engine.Who) []string {
	return func(w engine.Who) []string {
		if !form.MatchString(w.ID) {
			return nil
		}
		return []string{"projects/*/" + w.ID + rest}
	}
}
