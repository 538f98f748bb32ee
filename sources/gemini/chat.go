package gemini

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// record is the part of a line of a chat that is read. The first line says whose the chat
// is; a line with $set is bookkeeping (C58, C59), but for the end of a history that is
// written once more.
type record struct {
	SessionID string          `json:"sessionId"`
	Start     time.Time       `json:"startTime"`
	ID        string          `json:"id"`
	Timestamp time.Time       `json:"timestamp"`
	Type      string          `json:"type"`
	Content   json.RawMessage `json:"content"`
	Display   json.RawMessage `json:"displayContent"`
	Model     string          `json:"model"`
	Calls     []call          `json:"toolCalls"`
	Set       *struct {
		Messages json.RawMessage `json:"messages"`
		Summary  string          `json:"summary"`
	} `json:"$set"`
}

// call is a call that has its result: it is written no sooner.
type call struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Args      json.RawMessage `json:"args"`
	Timestamp time.Time       `json:"timestamp"`
}

type part struct {
	Text     string          `json:"text"`
	Response json.RawMessage `json:"functionResponse"`
}

// log is one chat as far as it was read.
type log struct {
	who    engine.Who
	again  bool // what was said is written once more, as when a turn was cancelled
	turn   bool // a turn is under way: what is said between turns ends none
	worded bool // the last word is the agent's, perhaps before a call
}

// chat translates the chat of a session.
func chat(rel string, first []byte) sources.Translate {
	var head record
	if json.Unmarshal(first, &head) != nil || !form.MatchString(head.SessionID) {
		return nil
	}
	l := &log{who: engine.Who{Tool: tool, ID: head.SessionID}}
	return func(line []byte) ([]engine.Event, error) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("chat %s: %w", path.Base(rel), err)
		}
		return l.said(&r), nil
	}
}

// agent translates the chat of a sub-agent, which lies in a folder named after its session.
// It shows that it runs.
func agent(rel string, first []byte) sources.Translate {
	var head record
	parent := path.Base(path.Dir(rel))
	if json.Unmarshal(first, &head) != nil || head.SessionID == "" || !form.MatchString(parent) {
		return nil
	}
	id := sources.OneLine(head.SessionID)
	return func(line []byte) ([]engine.Event, error) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("chat of a sub-agent %s: %w", path.Base(rel), err)
		}
		if r.Timestamp.IsZero() || id == "" {
			return nil, nil
		}
		who := engine.Who{Tool: tool, ID: parent}
		return []engine.Event{{At: r.Timestamp, By: engine.Transcript, Who: who, Fact: engine.Wrote{Agent: id}}}, nil
	}
}

// kindsOfRecord is how each kind of record is read. A kind that is not here ends nothing.
var kindsOfRecord = map[string]func(l *log, r *record) []engine.Event{
	"user": (*log).user, "gemini": (*log).gemini, "info": (*log).info, "error": (*log).failed,
}

func (l *log) said(r *record) []engine.Event {
	switch read := kindsOfRecord[r.Type]; {
	case r.Set != nil:
		if len(r.Set.Messages) > 0 {
			l.again = false
		}
		if title := sources.OneLine(r.Set.Summary); title != "" {
			return l.events(time.Time{}, engine.Described{Title: title})
		}
	case r.Type == "" && r.SessionID == l.who.ID && !r.Start.IsZero():
		return l.events(r.Start, engine.Started{})
	case read != nil && !r.Timestamp.IsZero():
		return read(l, r)
	}
	return nil
}

func (l *log) events(at time.Time, facts ...engine.Fact) []engine.Event {
	out := make([]engine.Event, len(facts))
	for i, f := range facts {
		out[i] = engine.Event{At: at, By: engine.Transcript, Who: l.who, Fact: f}
	}
	return out
}

// context is what the CLI itself says first in every history.
const context = "<session_context>"

// carryOn is what the CLI says when the agent stopped in the middle of a turn.
const carryOn = "Please continue."

func (l *log) user(r *record) []engine.Event {
	text, answers := content(r.Content)
	if strings.HasPrefix(text, context) {
		l.again = true
	}
	switch {
	case l.again:
		return nil
	case answers:
		l.turn, l.worded = true, false
		return l.events(r.Timestamp, engine.Wrote{})
	case text == "":
		return nil
	}
	l.turn, l.worded = true, false
	if text == carryOn {
		return l.events(r.Timestamp, engine.Prompted{}, engine.Wrote{})
	}
	if shown, _ := content(r.Display); shown != "" {
		text = shown
	}
	return l.events(r.Timestamp, engine.Prompted{Human: true}, engine.Described{Prompt: sources.Sentence(text)}, engine.Wrote{})
}

// content is the text of a record, and whether it answers calls.
func content(raw json.RawMessage) (text string, answers bool) {
	if json.Unmarshal(raw, &text) == nil {
		return text, false
	}
	var parts []part
	_ = json.Unmarshal(raw, &parts) // a content of another kind has none
	for _, p := range parts {
		text += p.Text
		answers = answers || len(p.Response) > 0
	}
	return text, answers
}

// gemini is the agent's word, before the calls that it may make: those are written when
// they have their results, in the same record once more. What is said in parts is said
// once more.
func (l *log) gemini(r *record) []engine.Event {
	var text string
	if l.again || json.Unmarshal(r.Content, &text) != nil {
		return nil
	}
	d := engine.Described{Model: sources.OneLine(r.Model)}
	l.turn = true
	switch {
	case len(r.Calls) > 0:
		return append(l.results(r), l.events(r.Timestamp, d)...)
	case text == "":
		// It calls something, and nobody can tell whether that runs or waits for you.
		l.worded = false
		return l.events(r.Timestamp, engine.CallOpened{Call: r.ID, Mute: true}, d, engine.Wrote{})
	}
	l.worded, l.turn = true, false // it may yet make calls; their results tell
	return l.events(r.Timestamp, engine.Replied{}, d, engine.Wrote{})
}

// results closes the calls of a record, those that hooks told of too.
func (l *log) results(r *record) (out []engine.Event) {
	for _, c := range r.Calls {
		at := c.Timestamp
		if at.Before(r.Timestamp) {
			at = r.Timestamp
		}
		if l.worded { // so it was not its last word
			out = append(out, l.events(at, engine.CallOpened{Call: r.ID, Mute: true})...)
		}
		out = append(out, l.events(at, engine.CallClosed{Call: r.ID, Key: key(c.Name, c.Args)}, engine.Wrote{})...)
	}
	l.worded = false
	return out
}

// cancelled is what the CLI notes when you stopped a turn, or said no.
const cancelled = "Request cancelled."

func (l *log) info(r *record) []engine.Event {
	if text, _ := content(r.Content); !l.turn || text != cancelled {
		return nil
	}
	l.turn = false
	return l.events(r.Timestamp, engine.Finished{Trouble: engine.Interrupted}, engine.Wrote{})
}

func (l *log) failed(r *record) []engine.Event {
	if !l.turn || l.again {
		return nil
	}
	l.turn = false
	text, _ := content(r.Content)
	return l.events(r.Timestamp, engine.Finished{Trouble: trouble(text)}, engine.Wrote{})
}

// status finds the HTTP status in the text of an error.
var status = regexp.MustCompile(`"code":\s*(\d{3})\b|\[(?:API Error|Status): (\d{3})\b|status:? (\d{3})\b`)

// troubles translates an HTTP status; what is not here is an error like any other.
var troubles = map[string]engine.Trouble{
	"400": engine.BadRequest, "404": engine.BadRequest, "401": engine.Auth, "403": engine.Auth, "402": engine.Billing, "429": engine.RateLimit,
	"500": engine.Overloaded, "502": engine.Overloaded, "503": engine.Overloaded, "504": engine.Overloaded,
}

func trouble(text string) engine.Trouble {
	for _, code := range status.FindStringSubmatch(text) {
		if t, known := troubles[code]; known {
			return t
		}
	}
	return engine.APIError
}
