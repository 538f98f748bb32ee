package copilot

import (
	"encoding/json"

	"deskbell/engine"
	"deskbell/sources"
)

// payload is the part of a hook's input that is read. Only that of a notification says
// which event it is of: the others are told on the command line.
type payload struct {
	SessionID        string          `json:"sessionId"` // of a sub-agent's hooks: its own id, or its session's
	CWD              string          `json:"cwd"`
	Agent            string          `json:"agentId"`
	Parent           string          `json:"parentAgentId"`
	AgentType        string          `json:"agentType"`
	Prompt           string          `json:"prompt"`
	NotificationType string          `json:"notification_type"`
	Message          string          `json:"message"`
	Tool             string          `json:"toolName"`
	Args             json.RawMessage `json:"toolArgs"`
	Timestamp        json.RawMessage `json:"timestamp"`
}

// hooks is the translation of Copilot CLI's hooks, one line a hook. What is not here is a
// sign of life: permissionRequest comes for every call, whether you are asked or not.
var hooks = map[string]func(p *payload) []engine.Fact{
	"sessionStart": func(*payload) []engine.Fact { return []engine.Fact{engine.Started{}} }, // with the first prompt
	"userPromptSubmitted": func(p *payload) []engine.Fact {
		return []engine.Fact{engine.Prompted{Human: true}, engine.Described{Prompt: sources.Sentence(p.Prompt)}}
	},
	// The events tell of its result too.
	"preToolUse": func(p *payload) []engine.Fact {
		k := key(p.Tool, p.Args)
		return []engine.Fact{engine.CallOpened{Call: k + "@" + sources.OneLine(string(p.Timestamp)), Key: k, Name: sources.OneLine(p.Tool), Text: about(p.Args)}}
	},
	"postToolUse":        closed,
	"postToolUseFailure": closed,
	"notification":       notification,
	"Notification":       notification,
	"agentStop":          func(p *payload) []engine.Fact { return []engine.Fact{engine.Finished{Agent: p.Agent, Uncounted: true}} },
	"subagentStop":       func(p *payload) []engine.Fact { return []engine.Fact{engine.Finished{Agent: p.Agent}} },
	"sessionEnd":         func(*payload) []engine.Fact { return []engine.Fact{engine.Closed{}} },
}

func closed(p *payload) []engine.Fact {
	return []engine.Fact{engine.CallClosed{Key: key(p.Tool, p.Args)}}
}

// ofAgent are the hooks that say something of a sub-agent; of the others it is enough that
// it runs.
var ofAgent = map[string]bool{"agentStop": true, "subagentStop": true}

// notification tells of a dialog a moment before the events do, and not which call it is
// about.
func notification(p *payload) []engine.Fact {
	switch p.NotificationType {
	case "permission_prompt":
		return []engine.Fact{engine.Asked{Key: permission, Name: sources.OneLine(p.Message), Late: true}}
	case "elicitation_dialog":
		return []engine.Fact{engine.Asked{Key: elicitation, Name: question, Question: true, Brief: true}}
	}
	return nil
}

// hook translates one call of a hook. Of a run that nobody attends it is told as such.
func hook(h sources.Hook) ([]engine.Event, error) {
	var p payload
	if err := h.Read(&p, &p.SessionID); err != nil {
		return nil, err
	}
	id := p.SessionID
	if p.Agent != "" && form.MatchString(p.Parent) {
		id = p.Parent
	}
	if !form.MatchString(id) {
		return nil, nil
	}
	who := engine.Who{
		Tool: tool, ID: id, PID: h.PID, Ticks: h.Ticks, TTY: h.TTY, Dir: p.CWD, Home: h.Env[homeEnv], Loose: h.PID != 0 && h.TTY == "",
	}
	var facts []engine.Fact
	switch translate := hooks[h.Event]; {
	case p.Agent != "":
		who.Dir = "" // a sub-agent may work in a folder of its own
		if facts = []engine.Fact{engine.AgentRan{Agent: p.Agent, Type: sources.OneLine(p.AgentType), Told: true}}; ofAgent[h.Event] {
			facts = translate(&p)
		}
	case h.Event == "subagentStop": // of nobody
		return nil, nil
	case translate != nil:
		facts = translate(&p)
	default:
		facts = []engine.Fact{engine.Lived{}}
	}
	out := make([]engine.Event, len(facts))
	for i, f := range facts {
		out[i] = engine.Event{At: h.At, By: engine.Hook, Who: who, Fact: f}
	}
	return out, nil
}
