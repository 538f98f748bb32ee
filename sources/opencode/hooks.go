package opencode

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// payload is what our plugin tells (plugin.js).
type payload struct {
	Event      string          `json:"hook_event_name"`
	SessionID  string          `json:"sessionID"` // the session you talk to
	Agent      string          `json:"agentID"`   // ... and its sub-agent that this is about
	Directory  string          `json:"directory"`
	Time       int64           `json:"time"`   // when it happened, in ms
	Queued     bool            `json:"queued"` // the prompt is in line behind a turn
	Status     string          `json:"status"`
	Call       string          `json:"callID"`
	ID         string          `json:"id"` // of a dialog
	Tool       string          `json:"tool"`
	Input      json.RawMessage `json:"input"`
	Reply      string          `json:"reply"`
	Permission string          `json:"permission"`
	Patterns   []string        `json:"patterns"`
	Questions  []asking        `json:"questions"`
	Error      failure         `json:"error"`
}

// key is what tells a dialog: the call it is about, where it is about one.
func (p *payload) key() string { return cmp.Or(p.Call, p.ID) }

// hooks is the translation of what the plugin tells, one line an event. What is not here
// is a sign of life.
var hooks = map[string]func(p *payload) []engine.Fact{
	"session.created": func(p *payload) []engine.Fact {
		if p.Agent != "" {
			return []engine.Fact{engine.AgentRan{Agent: p.Agent}}
		}
		return []engine.Fact{engine.Started{}}
	},
	"session.status": func(p *payload) []engine.Fact {
		switch {
		case p.Status == "idle":
			return []engine.Fact{engine.Finished{Agent: p.Agent, Uncounted: true}}
		case p.Agent != "":
			return []engine.Fact{engine.AgentRan{Agent: p.Agent}}
		}
		return []engine.Fact{engine.Lived{}} // what begins a turn is told too; a summary that you asked for ends as silently
	},
	"prompt": func(p *payload) []engine.Fact {
		switch {
		case p.Agent != "":
			return []engine.Fact{engine.AgentRan{Agent: p.Agent}}
		case p.Queued:
			return []engine.Fact{engine.Queued{}}
		}
		// A session that another has been shown in place of is back.
		return []engine.Fact{engine.Started{}, engine.Prompted{Human: true}}
	},
	"session.error": func(p *payload) []engine.Fact {
		return []engine.Fact{engine.Finished{Trouble: p.Error.trouble(), Agent: p.Agent, Uncounted: true}}
	},
	"compacting": func(p *payload) []engine.Fact {
		if p.Agent != "" {
			return nil
		}
		return []engine.Fact{engine.Compacting{}}
	},
	"session.compacted": func(p *payload) []engine.Fact {
		if p.Agent != "" {
			return nil
		}
		return []engine.Fact{engine.Compacting{Done: true}}
	},
	"tool": func(p *payload) []engine.Fact {
		if p.Call == "" {
			return nil
		}
		switch {
		case over[p.Status]:
			return []engine.Fact{engine.CallClosed{Call: p.Call, Agent: p.Agent}}
		case p.Status == "running":
			return []engine.Fact{engine.CallOpened{
				Call: p.Call, Name: sources.OneLine(p.Tool), Agent: p.Agent, Key: p.Call, Text: inputOf(p.Tool, p.Input),
			}}
		}
		return nil
	},
	"permission.asked": func(p *payload) []engine.Fact {
		text := ""
		if len(p.Patterns) > 0 {
			text = sources.OneLine(p.Patterns[0])
		}
		return []engine.Fact{engine.Asked{Key: p.key(), Name: sources.OneLine(p.Permission), Agent: p.Agent, Text: text}}
	},
	"question.asked": func(p *payload) []engine.Fact {
		return []engine.Fact{engine.Asked{Key: p.key(), Name: question, Agent: p.Agent, Question: true, Text: first(p.Questions)}}
	},
	"permission.replied": answered,
	"question.replied":   answered,
	"question.rejected":  answered,
}

// reject is the answer with which a turn ends, unless you say more about it.
const reject = "reject"

func answered(p *payload) []engine.Fact {
	out := []engine.Fact{engine.Answered{Key: p.key(), Agent: p.Agent}}
	if p.Reply == reject {
		out = append(out, engine.Finished{Trouble: engine.Interrupted, Agent: p.Agent, Uncounted: true})
	}
	return out
}

// step is by how much the facts of one event follow each other.
const step = time.Microsecond

// lag is by how much the client may be called after what it is told.
const lag = 10 * time.Second

// hook translates what the plugin told.
func hook(h sources.Hook) ([]engine.Event, error) {
	var p payload
	if err := json.Unmarshal(h.Payload, &p); err != nil {
		return nil, fmt.Errorf("plugin: %w", err)
	}
	if !form.MatchString(p.SessionID) || p.Agent != "" && !form.MatchString(p.Agent) {
		return nil, nil
	}
	if p.Event == "" {
		p.Event = h.Event
	}
	facts := []engine.Fact{engine.Lived{}}
	if translate := hooks[p.Event]; translate != nil {
		facts = translate(&p)
	}
	who := engine.Who{Tool: tool, ID: p.SessionID, PID: h.PID, Ticks: h.Ticks, TTY: h.TTY, Home: homeIn(h.Env)}
	if p.Agent == "" {
		who.Dir = p.Directory
	}
	at := h.At
	if t := time.UnixMilli(p.Time); t.Before(at) && at.Sub(t) < lag {
		at = t
	}
	var out []engine.Event
	for i, f := range facts {
		out = append(out, engine.Event{At: at.Add(time.Duration(i) * step), By: engine.Hook, Who: who, Fact: f})
	}
	return out, nil
}
