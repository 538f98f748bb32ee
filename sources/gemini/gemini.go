// Package gemini describes Gemini CLI: what its chats, its hooks, its titles and its
// processes tell. The recordings in testdata (0.61.0) are what it rests on.
package gemini

import (
	"path"
	"strings"

	"deskbell/engine"
	"deskbell/sources"
)

const (
	tool    = "gemini"
	homeEnv = "GEMINI_CLI_HOME"
	homeIn  = ".gemini" // below what homeEnv names, as it is below the user's home
)

// CLI is Gemini CLI.
var CLI = sources.CLI{
	Name:       tool,
	Title:      "Gemini CLI",
	Terse:      true,
	HomeEnv:    homeEnv,
	Home:       homeIn,
	HomeIn:     homeIn,
	Runs:       runs,
	Relaunches: true,
	Resume:     resume,
	Hooks:      map[string]func(sources.Hook) ([]engine.Event, error){"*": hook},
	// One glyph a state, and each stands still.
	Titles: []sources.Form{
		{Lead: "◇", Says: engine.ListedIdle},
		{Lead: "✦", Says: engine.ListedBusy},
		{Lead: "⏲", Says: engine.ListedBusy}, // a command prints nothing
		{Lead: "✋", Says: engine.ListedAsking},
	},
	Install: install,
	Cure: map[engine.Witness]string{
		engine.Hook: "deskbell hooks install --tool gemini: without them nobody tells of a permission prompt, and the end of a turn " +
			"is told by silence alone, except in a terminal that deskbell opened",
		engine.Listing:    "Gemini CLI keeps no list of its running sessions: its hooks tell more",
		engine.Transcript: "it appears when the CLI has started; versions before 0.40 keep it in one piece, which is not read",
		engine.Process:    "its process is not in our process table: it runs in a container, in its sandbox or on another machine",
	},
	Files: []sources.Tree{
		{Glob: "tmp/*/chats/session-*.jsonl", Find: chats, Begin: chat, Root: root},
		{Glob: "tmp/*/chats/*/*.jsonl", Find: agents, Begin: agent},
	},
}

// form is what a session id looks like; anything else never gets near a path.
var form = sources.UUID

// short is how much of its session's id the name of a chat has.
const short = 8

// chats finds those of one session, of which each resume leaves another one.
func chats(w engine.Who) []string {
	if !form.MatchString(w.ID) {
		return nil
	}
	return []string{"tmp/*/chats/session-*-" + w.ID[:short] + ".jsonl"}
}

// agents finds the chats of the sub-agents of one session.
func agents(w engine.Who) []string {
	if !form.MatchString(w.ID) {
		return nil
	}
	return []string{"tmp/*/chats/" + w.ID + "/*.jsonl"}
}

// root is the file that has the folder a chat is about.
func root(rel string) string {
	dir, _, found := strings.Cut(rel, "/chats/")
	if !found {
		return ""
	}
	return path.Join(dir, ".project_root")
}

// home is the one that an environment names; "": the default.
func home(env map[string]string) string {
	c := sources.CLI{HomeIn: homeIn}
	return c.HomeAt(env[homeEnv])
}

func resume(id string) []string {
	if !form.MatchString(id) {
		return nil
	}
	return []string{tool, "--resume", id}
}
