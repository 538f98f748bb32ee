package claude

import (
	"encoding/json"
	"strings"

	"deskbell/engine"
	"deskbell/sources"
)

// quiet says how long calls of Claude Code's tools are silent when all is well. A
// tool that is not here has no timer (SPEC section 3).
var quiet = map[string]engine.Limit{
	"Read": engine.Fast, "Write": engine.Fast, "Edit": engine.Fast, "Grep": engine.Fast, "Glob": engine.Fast, "NotebookEdit": engine.Fast,
	"WebFetch": engine.Medium, "WebSearch": engine.Medium,
	"Bash": engine.Slow, "Task": engine.Slow, "Agent": engine.Slow,
	"AskUserQuestion": engine.Answer, "EnterPlanMode": engine.Answer, "ExitPlanMode": engine.Answer,
}

// edits are the tools that change files: acceptEdits lets them pass.
var edits = map[string]bool{"Write": true, "Edit": true, "NotebookEdit": true}

// inputs names the field of a tool's input that says what a call is about.
var inputs = map[string]string{
	"Bash": "command", "Read": "file_path", "Write": "file_path", "Edit": "file_path", "NotebookEdit": "notebook_path",
	"Grep": "pattern", "Glob": "pattern", "WebFetch": "url", "WebSearch": "query", "Task": "description", "Agent": "description",
	"ExitPlanMode": "plan", "Skill": "skill",
}

// about is the input of a call in one line.
func about(tool string, input json.RawMessage) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) != nil {
		return ""
	}
	var text string
	if tool == "AskUserQuestion" {
		var qs []struct {
			Question string `json:"question"`
		}
		if json.Unmarshal(fields["questions"], &qs) == nil && len(qs) > 0 {
			text = qs[0].Question
		}
		return sources.OneLine(text)
	}
	if json.Unmarshal(fields[inputs[tool]], &text) != nil {
		return ""
	}
	if tool == "ExitPlanMode" {
		return sources.OneLine("Plan: " + strings.TrimLeft(text, "# \n"))
	}
	return sources.OneLine(text)
}

// between is the text between two marks, "" if they are not there.
func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, found := strings.Cut(s, to)
	if !found {
		return ""
	}
	return strings.TrimSpace(s)
}
