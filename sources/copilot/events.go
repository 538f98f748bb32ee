package copilot

import (
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// record is one line of a session's events. One with an agent is of a sub-agent.
type record struct {
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Agent     string          `json:"agentId"`
	Data      json.RawMessage `json:"data"`
}

// data is the part of the records' data that is read.
type data struct {
	Context struct {
		CWD string `json:"cwd"`
	} `json:"context"`
	SelectedModel string            `json:"selectedModel"`
	NewModel      string            `json:"newModel"`
	Effort        string            `json:"reasoningEffort"`
	Content       string            `json:"content"`
	Source        string            `json:"source"`
	Requests      []json.RawMessage `json:"toolRequests"`
	Call          string            `json:"toolCallId"`
	Name          string            `json:"toolName"`
	Arguments     json.RawMessage   `json:"arguments"`
	AgentName     string            `json:"agentName"`
	AgentTask     string            `json:"agentDescription"`
	Status        int               `json:"statusCode"`
	Request       struct {
		Kind      string `json:"kind"`
		Call      string `json:"toolCallId"`
		Command   string `json:"fullCommandText"`
		Intention string `json:"intention"`
		FileName  string `json:"fileName"`
		URL       string `json:"url"`
		ToolName  string `json:"toolName"`
	} `json:"permissionRequest"`
	RequestID string `json:"requestId"`
}

// log is one session as far as it was read. A model is called several times in a turn, and
// each of these has a beginning and an end.
type log struct {
	who   engine.Who
	turn  bool              // a turn is under way
	spoke bool              // the model's last word calls nothing
	calls map[string]string // the calls that are open, and what hooks tell of them
}

// callsKept bounds the open calls of one session that are remembered.
const callsKept = 64

// events translates the events of a session, which lie in a folder named after it.
func events(rel string, _ []byte) sources.Translate {
	id, ok := owner(rel)
	if !ok {
		return nil
	}
	l := &log{who: engine.Who{Tool: tool, ID: id}, calls: map[string]string{}}
	return func(line []byte) ([]engine.Event, error) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", path.Base(rel), err)
		}
		read := kindsOfRecord[r.Type]
		if read == nil || r.Timestamp.IsZero() {
			return nil, nil
		}
		var d data
		_ = json.Unmarshal(r.Data, &d) // a field of another shape says nothing, the others do
		who := l.who
		facts := read(l, &r, &d)
		if r.Agent == "" {
			who.Dir = d.Context.CWD
		}
		out := make([]engine.Event, len(facts))
		for i, f := range facts {
			out[i] = engine.Event{At: r.Timestamp, By: engine.Transcript, Who: who, Fact: f}
		}
		return out, nil
	}
}

// permission is the dialog that a hook reminds of, which does not say what it is about, and
// elicitation that of a question, of which there is one at a time.
const (
	permission  = "permission_prompt"
	elicitation = "elicitation"
)

// kindsOfRecord is how each kind of record is read. A kind that is not here is bookkeeping,
// session.shutdown too: what is taken up again says so with its first prompt, and its process
// tells sooner.
var kindsOfRecord = map[string]func(l *log, r *record, d *data) []engine.Fact{
	"session.start":  began,
	"session.resume": began,
	"session.model_change": func(_ *log, r *record, d *data) []engine.Fact {
		if r.Agent != "" {
			return nil
		}
		return []engine.Fact{engine.Described{Model: sources.OneLine(d.NewModel), Effort: sources.OneLine(d.Effort)}}
	},
	"session.error": func(l *log, r *record, d *data) []engine.Fact {
		if !l.turn || r.Agent != "" {
			return nil
		}
		return l.over(trouble(d.Status))
	},
	"session.compaction_start":    func(*log, *record, *data) []engine.Fact { return []engine.Fact{engine.Compacting{}} },
	"session.compaction_complete": func(*log, *record, *data) []engine.Fact { return []engine.Fact{engine.Compacting{Done: true}} },
	"user.message": func(l *log, r *record, d *data) []engine.Fact {
		if r.Agent != "" {
			return moved(r)
		}
		l.turn, l.spoke = true, false
		if d.Source != "" && d.Source != "user" {
			return []engine.Fact{engine.Prompted{}, engine.Wrote{}}
		}
		return []engine.Fact{engine.Prompted{Human: true}, engine.Described{Prompt: sources.Sentence(d.Content)}, engine.Wrote{}}
	},
	"assistant.turn_start": func(l *log, r *record, _ *data) []engine.Fact {
		if r.Agent == "" {
			l.turn, l.spoke = true, false
		}
		return moved(r)
	},
	"assistant.message": func(l *log, r *record, d *data) []engine.Fact {
		if r.Agent != "" {
			return moved(r)
		}
		if l.spoke = len(d.Requests) == 0; l.spoke {
			return []engine.Fact{engine.Replied{}, engine.Wrote{}}
		}
		return moved(r)
	},
	"assistant.turn_end": func(l *log, r *record, _ *data) []engine.Fact {
		if r.Agent != "" || !l.spoke {
			return nil
		}
		return l.over("")
	},
	"abort": func(l *log, r *record, _ *data) []engine.Fact {
		if r.Agent != "" {
			return nil
		}
		return l.over(engine.Interrupted)
	},
	"tool.execution_start": func(l *log, r *record, d *data) []engine.Fact {
		if d.Call == "" {
			return nil
		}
		if len(l.calls) >= callsKept {
			clear(l.calls)
		}
		l.calls[d.Call] = key(d.Name, d.Arguments)
		call := engine.CallOpened{Call: d.Call, Key: d.Call, Name: sources.OneLine(d.Name), Text: about(d.Arguments), Agent: r.Agent}
		if d.Name != question {
			return append([]engine.Fact{call}, moved(r)...)
		}
		call.Quiet, call.Key = engine.Answer, elicitation
		return append([]engine.Fact{call, engine.Asked{Key: elicitation, Name: call.Name, Question: true, Text: call.Text, Agent: r.Agent}}, moved(r)...)
	},
	"tool.execution_complete": func(l *log, r *record, d *data) []engine.Fact {
		if d.Call == "" {
			return nil
		}
		k := l.calls[d.Call]
		delete(l.calls, d.Call)
		return append([]engine.Fact{engine.CallClosed{Call: d.Call, Key: k, Agent: r.Agent}}, moved(r)...)
	},
	"permission.requested": func(_ *log, r *record, d *data) []engine.Fact {
		return []engine.Fact{d.asked(r.Agent)}
	},
	"permission.completed": func(_ *log, r *record, d *data) []engine.Fact {
		return []engine.Fact{engine.Answered{Key: d.dialog(d.Call), Agent: r.Agent}, engine.Answered{Key: permission}}
	},
	"subagent.started": func(_ *log, r *record, d *data) []engine.Fact {
		if r.Agent == "" {
			return nil
		}
		return []engine.Fact{engine.AgentRan{Agent: r.Agent, Type: sources.OneLine(d.AgentName), Task: sources.OneLine(d.AgentTask), Told: true}}
	},
	"subagent.completed": agentEnded,
	"subagent.failed":    agentEnded,
}

func began(l *log, r *record, d *data) []engine.Fact {
	if r.Agent != "" {
		return nil
	}
	l.turn, l.spoke = false, false
	return []engine.Fact{engine.Started{}, engine.Described{Model: sources.OneLine(d.SelectedModel)}}
}

// over ends the turn.
func (l *log) over(why engine.Trouble) []engine.Fact {
	l.turn, l.spoke = false, false
	return []engine.Fact{engine.Finished{Trouble: why}, engine.Wrote{}}
}

// moved is a record that says no more than that it was written.
func moved(r *record) []engine.Fact { return []engine.Fact{engine.Wrote{Agent: r.Agent}} }

func agentEnded(_ *log, r *record, _ *data) []engine.Fact {
	if r.Agent == "" {
		return nil
	}
	return []engine.Fact{engine.Finished{Agent: r.Agent}}
}

// dialog is the key of a permission prompt: the call it is about, or else its own id.
func (d *data) dialog(call string) string {
	if call == "" {
		return d.RequestID
	}
	return call
}

// kinds name the tools of permission prompts that do not.
var kinds = map[string]string{"shell": "bash", "write": "write", "read": "read", "url": "fetch", "mcp": "mcp"}

func (d *data) asked(agent string) engine.Fact {
	p := &d.Request
	ask := engine.Asked{Key: d.dialog(p.Call), Name: sources.OneLine(p.ToolName), Agent: agent}
	if ask.Name == "" {
		ask.Name = sources.OneLine(p.Kind)
		if name := kinds[p.Kind]; name != "" {
			ask.Name = name
		}
	}
	for _, text := range []string{p.Command, p.FileName, p.URL, p.Intention} {
		if ask.Text == "" {
			ask.Text = sources.OneLine(text)
		}
	}
	return ask
}

// troubles translates an HTTP status; what is not here is an error like any other.
var troubles = map[string]engine.Trouble{
	"400": engine.BadRequest, "404": engine.BadRequest, "401": engine.Auth, "403": engine.Auth, "402": engine.Billing, "429": engine.RateLimit,
	"500": engine.Overloaded, "502": engine.Overloaded, "503": engine.Overloaded, "504": engine.Overloaded, "529": engine.Overloaded,
}

func trouble(status int) engine.Trouble {
	if t, known := troubles[strconv.Itoa(status)]; known {
		return t
	}
	return engine.APIError
}
