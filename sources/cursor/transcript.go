package cursor

import (
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"

	"deskbell/engine"
	"deskbell/sources"
)

// record is the part of a line of a transcript that is read. It has no time: its file has.
type record struct {
	Role    string `json:"role"`
	Type    string `json:"type"`
	Status  string `json:"status"` // of turn_ended
	Message struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

type block struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// log is one transcript as far as it was read.
type log struct {
	who  engine.Who
	n    int // lines
	open []string
}

// transcript translates that of a chat. The editor writes such files too.
func transcript(rel string, _ []byte) sources.Translate {
	id := strings.TrimSuffix(path.Base(rel), ".jsonl")
	if !form.MatchString(id) || path.Base(path.Dir(rel)) != id {
		return nil
	}
	l := &log{who: engine.Who{Tool: tool, ID: id, Shy: true}}
	return func(line []byte) ([]engine.Event, error) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("transcript %s: %w", path.Base(rel), err)
		}
		return l.said(&r), nil
	}
}

// agent translates the transcript of a sub-agent, which lies in the folder of its chat. It
// shows that it runs.
func agent(rel string, _ []byte) sources.Translate {
	id := path.Base(path.Dir(path.Dir(rel)))
	name := sources.OneLine(strings.TrimSuffix(path.Base(rel), ".jsonl"))
	if !form.MatchString(id) || name == "" {
		return nil
	}
	who := engine.Who{Tool: tool, ID: id, Shy: true}
	return func(line []byte) ([]engine.Event, error) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("transcript of a sub-agent %s: %w", path.Base(rel), err)
		}
		var fact engine.Fact
		switch {
		case r.Type == ended:
			fact = engine.Finished{Agent: name}
		case r.Role == "user" || r.Role == "assistant":
			if _, text := r.content(); text == "" {
				return nil, nil
			}
			fact = engine.Wrote{Agent: name}
		default:
			return nil, nil
		}
		return []engine.Event{{By: engine.Transcript, Who: who, Fact: fact}}, nil
	}
}

// ended is the end of a turn, in versions from 2026-07.
const ended = "turn_ended"

// troubles translates how a turn ended; what is not here is an error like any other.
var troubles = map[string]engine.Trouble{
	"": "", "success": "", "completed": "", "aborted": engine.Interrupted, "cancelled": engine.Interrupted, "canceled": engine.Interrupted,
}

func trouble(status string) engine.Trouble {
	if t, known := troubles[status]; known {
		return t
	}
	return engine.APIError
}

func (l *log) said(r *record) (out []engine.Event) {
	l.n++
	blocks, text := r.content()
	var facts []engine.Fact
	switch {
	case r.Type == ended:
		facts = append(l.results(), engine.Finished{Trouble: trouble(r.Status)}, engine.Wrote{})
	case text == "" && len(blocks) == 0:
		return nil
	case r.Role == "user":
		facts = append(l.results(), l.user(blocks, text)...)
	case r.Role == "assistant":
		facts = append(l.results(), l.assistant(blocks)...)
	}
	for _, f := range facts {
		out = append(out, engine.Event{By: engine.Transcript, Who: l.who, Fact: f})
	}
	return out
}

// content is what a record says: its blocks, and the text in them.
func (r *record) content() (blocks []block, text string) {
	if json.Unmarshal(r.Message.Content, &text) == nil {
		if text == "" {
			return nil, ""
		}
		return []block{{Type: "text", Text: text}}, text
	}
	_ = json.Unmarshal(r.Message.Content, &blocks) // a content of another kind has no blocks
	for _, b := range blocks {
		text += b.Text
	}
	return blocks, text
}

// results are those of the calls that were open: none is written for itself in most
// versions, and whatever comes next comes after them.
func (l *log) results() (out []engine.Fact) {
	for _, id := range l.open {
		out = append(out, engine.CallClosed{Call: id})
	}
	l.open = nil
	return out
}

// query is what a person typed, among what the CLI adds to it.
const query, queryEnd = "<user_query>", "</user_query>"

func (l *log) user(blocks []block, text string) []engine.Fact {
	for _, b := range blocks {
		if b.Type == "tool_result" {
			return []engine.Fact{engine.Wrote{}}
		}
	}
	if _, typed, found := strings.Cut(text, query); found {
		text, _, _ = strings.Cut(typed, queryEnd)
	} else if strings.HasPrefix(strings.TrimSpace(text), "<") {
		return []engine.Fact{engine.Prompted{}, engine.Wrote{}}
	}
	return []engine.Fact{engine.Prompted{Human: true}, engine.Described{Prompt: sources.Sentence(text)}, engine.Wrote{}}
}

// questions are the tools that ask you something.
var questions = map[string]bool{"AskQuestion": true}

// assistant is the agent's word, and the calls beside it: each may run, or wait for you.
func (l *log) assistant(blocks []block) []engine.Fact {
	var out []engine.Fact
	for i, b := range blocks {
		if b.Type != "tool_use" {
			continue
		}
		text := about(b.Input)
		call := engine.CallOpened{Name: sources.OneLine(b.Name), Text: text, Mute: true}
		call.Call = sources.Key(b.Name, text) + "@" + strconv.Itoa(l.n) + "." + strconv.Itoa(i)
		if questions[b.Name] {
			call.Quiet, call.Mute = engine.Answer, false
		}
		l.open = append(l.open, call.Call)
		out = append(out, call)
	}
	if len(out) == 0 {
		out = append(out, engine.Replied{})
	}
	return append(out, engine.Wrote{})
}

// inputs name the fields of a tool's input that say what a call is about, the best first.
var inputs = []string{"command", "path", "file_path", "pattern", "query", "url", "description", "prompt"}

// about is the input of a call in one line.
func about(input json.RawMessage) string { return sources.About(input, inputs) }
