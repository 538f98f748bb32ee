package llm

import (
	"encoding/json"
	"regexp"
	"strings"
)

type request struct {
	Model    string            `json:"model"`
	Stream   bool              `json:"stream"`
	Messages []message         `json:"messages"`
	Tools    []json.RawMessage `json:"tools"`
	Output   json.RawMessage   `json:"output_config"`
}

type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"` // a string, or blocks
}

type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func (m message) blocks() []block {
	var s string
	if json.Unmarshal(m.Content, &s) == nil {
		return []block{{Type: "text", Text: s}}
	}
	var bs []block
	if json.Unmarshal(m.Content, &bs) != nil {
		return nil
	}
	return bs
}

// reminder matches what the CLI itself adds to a user's message.
var reminder = regexp.MustCompile(`(?s)<(system-reminder|local-command-[a-z]+|command-[a-z]+)>.*?</(system-reminder|local-command-[a-z]+|command-[a-z]+)>`)

// words returns the text a person typed: empty for a message that only carries
// results, reminders or the mark of an interrupt.
func (m message) words() (words string) {
	if m.Role != "user" { // newer versions put system notes among the messages
		return ""
	}
	for _, b := range m.blocks() {
		text := strings.TrimSpace(reminder.ReplaceAllString(b.Text, ""))
		if b.Type == "text" && text != "" && !strings.HasPrefix(text, "[Request interrupted") {
			words = text
		}
	}
	return words
}

func (m message) callsTools() bool {
	for _, b := range m.blocks() {
		if b.Type == "tool_use" {
			return m.Role == "assistant"
		}
	}
	return false
}

// prompt returns the last thing a person typed and the rounds of tool calls
// since, which is the index of the step to play.
func (q request) prompt() (text string, step int) {
	for i := len(q.Messages) - 1; i >= 0; i-- {
		if q.Messages[i].callsTools() {
			step++
		}
		if words := q.Messages[i].words(); words != "" {
			return words, step
		}
	}
	return "", step
}
