// Package cursor describes Cursor agent, the CLI of Cursor: what its transcripts, its hooks
// and its processes tell. It rests on public material of 2026-05 to 2026-11, not on runs of
// our own. Nothing tells that it waits for a permission: what is silent is idle.
package cursor

import (
	"encoding/json"
	"path"
	"strings"

	"deskbell/engine"
	"deskbell/sources"
)

const (
	tool    = "cursor"
	program = "cursor-agent"
	homeEnv = "CURSOR_CONFIG_DIR"
)

// CLI is Cursor agent.
var CLI = sources.CLI{
	Name:    tool,
	Title:   "Cursor agent",
	Program: program,
	Terse:   true,
	HomeEnv: homeEnv,
	Home:    ".cursor",
	Runs:    runs,
	Resume:  resume,
	Hooks:   map[string]func(sources.Hook) ([]engine.Event, error){"*": hook},
	Install: install,
	Cure: map[engine.Witness]string{
		engine.Hook:       "deskbell hooks install --tool cursor: they tell prompts and the ends of turns at once; no version tells of a permission prompt",
		engine.Listing:    "Cursor agent keeps no list of its running sessions, and nothing else tells that it waits for a permission",
		engine.Transcript: "it appears with the first prompt, in a folder that Cursor was told to trust",
		engine.Process:    "its process is not in our process table: it runs in the editor, in a container or on another machine",
	},
	Files: []sources.Tree{
		{Glob: "projects/*/agent-transcripts/*/*.jsonl", Find: below(".jsonl"), Begin: transcript, Root: root, RootIn: trusted},
		{Glob: "projects/*/agent-transcripts/*/subagents/*.jsonl", Find: agents, Begin: agent},
	},
}

// form is what a chat's id looks like; anything else never gets near a path.
var form = sources.UUID

// below finds the transcript of one chat, in whatever project folder it has.
func below(ext string) func(w engine.Who) []string {
	return func(w engine.Who) []string {
		if !form.MatchString(w.ID) {
			return nil
		}
		return []string{"projects/*/agent-transcripts/" + w.ID + "/" + w.ID + ext}
	}
}

// agents finds the transcripts of the sub-agents of one chat.
func agents(w engine.Who) []string {
	if !form.MatchString(w.ID) {
		return nil
	}
	return []string{"projects/*/agent-transcripts/" + w.ID + "/subagents/*.jsonl"}
}

// root is the file that has the folder a project is about: the name of the project's own
// cannot be read back.
func root(rel string) string {
	dir, _, found := strings.Cut(rel, "/agent-transcripts/")
	if !found {
		return ""
	}
	return path.Join(dir, ".workspace-trusted")
}

// trusted is the folder in such a file.
func trusted(text []byte) string {
	var t struct {
		Path string `json:"workspacePath"`
	}
	_ = json.Unmarshal(text, &t) // of another shape it names none
	return t.Path
}

func resume(id string) []string {
	if !form.MatchString(id) {
		return nil
	}
	return []string{program, "--resume", id}
}
