package cursor

import (
	"deskbell/engine"
	"deskbell/sources"
)

// payload is the part of a hook's input that is read.
type payload struct {
	Conversation string   `json:"conversation_id"`
	Parent       string   `json:"parent_conversation_id"`
	Event        string   `json:"hook_event_name"`
	Roots        []string `json:"workspace_roots"`
	Prompt       string   `json:"prompt"`
	Status       string   `json:"status"`
	Agent        string   `json:"subagent_id"`
	AgentType    string   `json:"subagent_type"`
	Model        string   `json:"model"`
	Background   bool     `json:"is_background_agent"`
}

// hooks is the translation of Cursor's hooks, one line a hook. What is not here is a sign
// of life: beforeShellExecution comes for every command, whether you are asked or not.
var hooks = map[string]func(p *payload) []engine.Fact{
	"sessionStart": func(*payload) []engine.Fact { return []engine.Fact{engine.Started{}} },
	"beforeSubmitPrompt": func(p *payload) []engine.Fact {
		return []engine.Fact{engine.Prompted{Human: true}, engine.Described{Prompt: sources.Sentence(p.Prompt), Model: sources.OneLine(p.Model)}}
	},
	"subagentStart": func(p *payload) []engine.Fact {
		if p.Agent == "" {
			return nil
		}
		return []engine.Fact{engine.AgentRan{Agent: p.Agent, Type: sources.OneLine(p.AgentType), Told: true}}
	},
	"subagentStop": func(p *payload) []engine.Fact {
		if p.Agent == "" {
			return nil
		}
		return []engine.Fact{engine.Finished{Agent: p.Agent}}
	},
	"stop": func(p *payload) []engine.Fact {
		return []engine.Fact{engine.Finished{Trouble: trouble(p.Status), Uncounted: true}}
	},
	"sessionEnd": func(*payload) []engine.Fact { return []engine.Fact{engine.Closed{}} },
}

// hook translates one call of a hook. The editor calls them too, and nobody attends that
// in a terminal.
func hook(h sources.Hook) ([]engine.Event, error) {
	var p payload
	if err := h.Read(&p, &p.Conversation); err != nil {
		return nil, err
	}
	id := p.Conversation
	if p.Agent != "" && form.MatchString(p.Parent) {
		id = p.Parent
	}
	if !form.MatchString(id) {
		return nil, nil
	}
	if p.Event == "" {
		p.Event = h.Event
	}
	who := engine.Who{
		Tool: tool, ID: id, PID: h.PID, Ticks: h.Ticks, TTY: h.TTY, Home: h.Env[homeEnv], Shy: h.PID == 0,
		Loose: h.PID != 0 && h.TTY == "" || p.Background,
	}
	if len(p.Roots) > 0 && p.Agent == "" {
		who.Dir = p.Roots[0]
	}
	facts := []engine.Fact{engine.Lived{}}
	if translate := hooks[p.Event]; translate != nil {
		facts = translate(&p)
	}
	out := make([]engine.Event, len(facts))
	for i, f := range facts {
		out[i] = engine.Event{At: h.At, By: engine.Hook, Who: who, Fact: f}
	}
	return out, nil
}
