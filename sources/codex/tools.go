package codex

import (
	"encoding/json"
	"strings"

	"deskbell/engine"
	"deskbell/sources"
)

// shell is what hooks call every tool that runs a command.
const shell = "Bash"

// names are the tools that hooks call otherwise than rollouts.
var names = map[string]string{"exec_command": shell, "shell": shell, "shell_command": shell, "local_shell": shell, "container.exec": shell}

// question is the tool that asks the user.
const question = "request_user_input"

// quiet says how long the calls of a tool are silent: those of a question, until it has
// an answer. No other has a timer: what is asked is reported.
var quiet = map[string]engine.Limit{question: engine.Answer}

// inputs are the fields of a tool's input that may say what a call is about.
var inputs = []string{"cmd", "command", "message", "query", "path", "url", "chars"}

// patched begins the lines of a patch that name its files.
var patched = []string{"*** Update File: ", "*** Add File: ", "*** Delete File: "}

// about is the input of a call in one line.
func about(tool string, input json.RawMessage) string {
	var text string
	if json.Unmarshal(input, &text) == nil {
		return sources.OneLine(patch(text))
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) != nil {
		return ""
	}
	if tool == question {
		var asked []struct {
			Question string `json:"question"`
		}
		if json.Unmarshal(fields["questions"], &asked) == nil && len(asked) > 0 {
			return sources.OneLine(asked[0].Question)
		}
		return ""
	}
	for _, name := range inputs {
		var words []string
		switch {
		case json.Unmarshal(fields[name], &text) == nil:
			return sources.OneLine(patch(text))
		case json.Unmarshal(fields[name], &words) == nil && len(words) > 0:
			if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") { // bash -lc
				words = words[2:]
			}
			return sources.OneLine(strings.Join(words, " "))
		}
	}
	return ""
}

// patch is the name of the first file in a patch, or text if it is none.
func patch(text string) string {
	if !strings.HasPrefix(text, "*** Begin Patch") {
		return text
	}
	for line := range strings.Lines(text) {
		for _, mark := range patched {
			if name, found := strings.CutPrefix(line, mark); found {
				return name
			}
		}
	}
	return ""
}

// key tells tool and input, which is all that pairs a permission request with its call: it
// carries no id.
func key(tool, about string) string {
	return sources.Key(tool, about)
}

// named is what we call a tool.
func named(name string) string {
	if known := names[name]; known != "" {
		return known
	}
	return sources.OneLine(name)
}
