package copilot

import (
	"encoding/json"

	"deskbell/sources"
)

// question is the tool that asks you something.
const question = "ask_user"

// inputs name the fields of a tool's input that say what a call is about, the best first.
var inputs = []string{"command", "message", "question", "path", "file_path", "pattern", "url", "query", "description", "name"}

// key tells a call by its tool and input: hooks have no ids.
func key(tool string, input json.RawMessage) string { return sources.Key(tool, about(input)) }

// about is the input of a call in one line.
func about(input json.RawMessage) string { return sources.About(input, inputs) }
