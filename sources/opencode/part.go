package opencode

import (
	"cmp"
	"encoding/json"

	"deskbell/engine"
	"deskbell/sources"
)

// piece is the part of a part's data that is read.
type piece struct {
	Type      string `json:"type"`
	Text      string `json:"text"`
	Synthetic bool   `json:"synthetic"` // OpenCode wrote it
	Auto      bool   `json:"auto"`      // of a summary: OpenCode wants it, to go on
	Tool      string `json:"tool"`
	Call      string `json:"callID"`
	Time      span   `json:"time"`
	State     struct {
		Status string          `json:"status"`
		Input  json.RawMessage `json:"input"`
		Error  string          `json:"error"`
		Time   span            `json:"time"`
	} `json:"state"`
}

type span struct {
	Start int64 `json:"start"`
	End   int64 `json:"end"`
}

// question is the tool that asks you.
const question = "question"

// refused are the errors of a call that you said no to: its turn is over. With a word of
// yours about it the turn goes on, and the error is another.
var refused = map[string]bool{
	"The user rejected permission to use this specific tool call.": true,
	"The user dismissed this question":                             true,
}

// over are the states of a call that has its result.
var over = map[string]bool{"completed": true, "error": true}

// openPart reports whether a part may still change.
func openPart(r sources.Row) bool {
	var p piece
	if decode(r, &p) != nil {
		return false
	}
	switch p.Type {
	case "tool":
		return !over[p.State.Status]
	case "text", "reasoning":
		return p.Time.Start != 0 && p.Time.End == 0
	}
	return false
}

// part reads one part of a message.
func part(r sources.Row) ([]engine.Event, error) {
	o := of(r)
	if o == nil {
		return nil, nil
	}
	var p piece
	if err := decode(r, &p); err != nil {
		return nil, err
	}
	created := r.Int("created")
	if p.Type == "" || created <= 0 {
		return nil, nil
	}
	if r.Text("role") == user {
		switch {
		case o.agent != "":
		case p.Type == "compaction" && p.Auto: // the turn goes on, whatever ended before it
			o.say(created, engine.Prompted{Human: true}, engine.Compacting{}, engine.Wrote{})
		case p.Type == "text" && !p.Synthetic:
			o.say(created, engine.Described{Prompt: sources.Sentence(p.Text)}, engine.Wrote{})
		}
		return o.out, nil
	}
	if p.Type != "tool" {
		o.say(max(created, p.Time.End), engine.Wrote{Agent: o.agent})
		return o.out, nil
	}
	o.call(&p, created)
	return o.out, nil
}

// call says what became of a tool call. Nothing tells one that runs from one that waits
// for your permission.
func (o *row) call(p *piece, created int64) {
	began := cmp.Or(p.State.Time.Start, created)
	if p.Call == "" || p.State.Status == "pending" { // the model is still writing it
		o.say(created, engine.Wrote{Agent: o.agent})
		return
	}
	o.say(began, engine.CallOpened{
		Call: p.Call, Name: sources.OneLine(p.Tool), Quiet: quiet[p.Tool], Mute: true, Agent: o.agent, Key: p.Call, Text: inputOf(p.Tool, p.State.Input),
	}, engine.Wrote{Agent: o.agent})
	if !over[p.State.Status] {
		return
	}
	end := max(began, p.State.Time.End)
	o.say(end, engine.CallClosed{Call: p.Call, Agent: o.agent})
	if refused[p.State.Error] {
		o.say(end, engine.Finished{Trouble: engine.Interrupted, Agent: o.agent})
	}
	o.say(end, engine.Wrote{Agent: o.agent})
}

// quiet says how long the calls of a tool are silent: those of a question, until it has an
// answer. No other has a timer: what is asked is reported, or cannot be told.
var quiet = map[string]engine.Limit{question: engine.Answer}

// inputs are the fields of a tool's input that may say what a call is about.
var inputs = []string{"command", "filePath", "path", "url", "pattern", "query", "description", "name"}

// inputOf is the input of a call in one line.
func inputOf(tool string, input json.RawMessage) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) != nil {
		return ""
	}
	if tool == question {
		var list []asking
		if json.Unmarshal(fields["questions"], &list) != nil {
			return ""
		}
		return first(list)
	}
	for _, name := range inputs {
		var text string
		if json.Unmarshal(fields[name], &text) == nil && text != "" {
			return sources.OneLine(text)
		}
	}
	return ""
}

// asking is one question of a dialog.
type asking struct {
	Question string `json:"question"`
}

// first is the first question of a dialog.
func first(list []asking) string {
	if len(list) == 0 {
		return ""
	}
	return sources.OneLine(list[0].Question)
}
