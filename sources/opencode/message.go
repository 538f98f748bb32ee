package opencode

import (
	"cmp"
	"encoding/json"

	"deskbell/engine"
	"deskbell/sources"
)

// turn is the part of a message's data that is read.
type turn struct {
	Role   string `json:"role"`
	Parent string `json:"parentID"` // of an answer: the prompt
	Time   struct {
		Created   int64 `json:"created"`
		Completed int64 `json:"completed"`
	} `json:"time"`
	Finish  string          `json:"finish"`
	Error   *failure        `json:"error"`
	Model   string          `json:"modelID"`
	Summary json.RawMessage `json:"summary"` // of an answer, true: it sums the conversation up
}

// failure is why an answer ended early.
type failure struct {
	Name string `json:"name"`
	Data struct {
		Status int `json:"statusCode"`
	} `json:"data"`
}

const (
	user      = "user"
	assistant = "assistant"
)

// goesOn are the reasons for which an answer ends and its turn does not.
var goesOn = map[string]bool{"tool-calls": true, "unknown": true}

// stops are the reasons that are no good end.
var stops = map[string]engine.Trouble{"length": engine.MaxOutput, "content-filter": engine.BadRequest, "error": engine.APIError}

// troubles are what failures are called by us. What is not here is an API error.
var troubles = map[string]engine.Trouble{
	"MessageAbortedError": engine.Interrupted, "ProviderAuthError": engine.Auth, "MessageOutputLengthError": engine.MaxOutput,
	"ContextOverflowError": engine.BadRequest, "ContentFilterError": engine.BadRequest,
}

// byCode are the statuses of a provider that say more.
var byCode = map[int]engine.Trouble{
	400: engine.BadRequest, 401: engine.Auth, 402: engine.Billing, 403: engine.Auth, 413: engine.BadRequest, 429: engine.RateLimit,
	503: engine.Overloaded, 529: engine.Overloaded,
}

func (f *failure) trouble() engine.Trouble {
	return cmp.Or(troubles[f.Name], byCode[f.Data.Status], engine.APIError)
}

// open reports whether a message may still change. Why it ended may be told after that it
// has.
func open(r sources.Row) bool {
	var m turn
	return decode(r, &m) == nil && m.Role == assistant && (m.Time.Completed == 0 || m.Finish == "") && m.Error == nil
}

// message reads a message. Each answer of the model is one, and a turn has several.
func message(r sources.Row) ([]engine.Event, error) {
	o := of(r)
	if o == nil {
		return nil, nil
	}
	var m turn
	if err := decode(r, &m); err != nil {
		return nil, err
	}
	created := cmp.Or(m.Time.Created, r.Int("created"))
	if m.Role != user && m.Role != assistant || created <= 0 {
		return nil, nil
	}
	o.titled(r)
	if m.Role == user { // it may be in line; its answer tells when it ran
		o.say(created, engine.Wrote{Agent: o.agent})
		return o.out, nil
	}
	if string(m.Summary) == "true" {
		o.say(created, engine.Compacting{}, engine.Wrote{Agent: o.agent})
		if end := m.end(r); end > 0 {
			o.say(end, engine.Compacting{Done: true})
			if m.Error != nil {
				o.say(end, engine.Finished{Trouble: m.Error.trouble(), Agent: o.agent})
			}
		}
		return o.out, nil
	}
	if o.agent == "" && m.Parent != "" && m.Parent == r.Text("after") {
		// The first answer to a prompt. A session that another was shown in place of is back.
		o.say(created-1, engine.Started{})
	}
	if o.agent == "" {
		o.say(created, engine.Prompted{Human: true}, engine.Described{Model: sources.OneLine(m.Model)})
	}
	o.say(created, engine.Wrote{Agent: o.agent})
	switch end := m.end(r); {
	case end == 0:
	case m.Error != nil:
		o.say(end, engine.Finished{Trouble: m.Error.trouble(), Agent: o.agent}, engine.Wrote{Agent: o.agent})
	case m.Finish == "": // Esc while it was to be tried again leaves no other mark
		o.say(end, engine.Finished{Trouble: engine.Interrupted, Agent: o.agent}, engine.Wrote{Agent: o.agent})
	case goesOn[m.Finish]:
		o.say(end, engine.Wrote{Agent: o.agent})
	default:
		o.say(end, engine.Replied{Agent: o.agent}, engine.Finished{Trouble: stops[m.Finish], Agent: o.agent}, engine.Wrote{Agent: o.agent})
	}
	return o.out, nil
}

// end is when the answer was over, 0 while it is not.
func (m *turn) end(r sources.Row) int64 {
	if m.Time.Completed == 0 && m.Error != nil {
		return cmp.Or(r.Int("updated"), m.Time.Created)
	}
	return m.Time.Completed
}
