package gemini

import (
	"encoding/json"
	"path"
	"strings"

	"deskbell/sources"
)

// question is the tool that asks you something.
const question = "ask_user"

// inputs names the field of a tool's input that says what a call is about.
var inputs = map[string]string{
	"run_shell_command": "command", "write_file": "file_path", "replace": "file_path", "read_file": "file_path", "edit": "file_path",
	"web_fetch": "prompt", "google_web_search": "query", "glob": "pattern", "grep_search": "pattern", "search_file_content": "pattern",
	"list_directory": "dir_path", "save_memory": "fact", "activate_skill": "name", "invoke_agent": "prompt",
}

// about is the input of a call in one line.
func about(tool string, input json.RawMessage) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) != nil {
		return ""
	}
	var text string
	if tool == question {
		var qs []struct {
			Question string `json:"question"`
		}
		if json.Unmarshal(fields["questions"], &qs) == nil && len(qs) > 0 {
			text = qs[0].Question
		}
		return sources.OneLine(text)
	}
	_ = json.Unmarshal(fields[inputs[tool]], &text) // one of another shape says nothing
	return sources.OneLine(text)
}

// kinds are those of the dialogs that say which call they are about, and what tells both:
// a command, or the name of a file without its folder.
var kinds = map[string]string{"run_shell_command": "exec", "write_file": "edit", "replace": "edit", "edit": "edit", question: question}

// key tells a call by its tool and input: Gemini CLI gives hooks no ids.
func key(tool string, input json.RawMessage) string {
	switch kind := kinds[tool]; kind {
	case "exec":
		return sources.Key(kind, about(tool, input))
	case "edit":
		return sources.Key(kind, file(about(tool, input)))
	case question: // its dialog says no more than that
		return kind
	}
	return sources.Key(tool, string(input[:min(len(input), sources.Longest)]))
}

// file is the name of a file without its folder.
func file(name string) string { return path.Base(strings.ReplaceAll(name, `\`, "/")) }
