package codex

import (
	"encoding/json"

	"deskbell/engine"
	"deskbell/sources"
)

// payload is the part of a hook's input that is read.
type payload struct {
	SessionID string          `json:"session_id"` // inside a sub-agent: its parent's
	CWD       string          `json:"cwd"`
	Event     string          `json:"hook_event_name"`
	Mode      string          `json:"permission_mode"`
	Model     string          `json:"model"`
	Agent     string          `json:"agent_id"`
	AgentType string          `json:"agent_type"`
	Prompt    string          `json:"prompt"`
	Tool      string          `json:"tool_name"`
	Input     json.RawMessage `json:"tool_input"`
	Call      string          `json:"tool_use_id"`
}

// key pairs a permission request with its call.
func (p *payload) key() string { return key(named(p.Tool), about(named(p.Tool), p.Input)) }

// hooks is the translation of Codex's hooks, one line a hook. What is not here is a sign
// of life. SessionStart comes with the first prompt, not when the TUI is opened.
var hooks = map[string]func(p *payload) []engine.Fact{
	"SessionStart": func(p *payload) []engine.Fact {
		return []engine.Fact{engine.Described{Model: sources.OneLine(p.Model)}}
	},
	"UserPromptSubmit": func(p *payload) []engine.Fact {
		return []engine.Fact{engine.Prompted{Human: true}, engine.Described{Prompt: sources.Sentence(p.Prompt)}}
	},
	"PreToolUse": func(p *payload) []engine.Fact {
		name, text := named(p.Tool), about(named(p.Tool), p.Input)
		out := []engine.Fact{engine.CallOpened{Call: p.Call, Name: name, Agent: p.Agent, Borne: name == shell, Key: p.key(), Text: text}}
		if name == question { // it is asked at once, and no other hook says so
			out = append(out, engine.Asked{Key: p.key(), Name: name, Agent: p.Agent, Question: true, Text: text})
		}
		return out
	},
	"PostToolUse": func(p *payload) []engine.Fact { return []engine.Fact{engine.CallClosed{Call: p.Call, Agent: p.Agent}} },
	"PermissionRequest": func(p *payload) []engine.Fact {
		name := named(p.Tool)
		return []engine.Fact{engine.Asked{Key: p.key(), Name: name, Agent: p.Agent, Text: about(name, p.Input)}}
	},
	"Stop": func(p *payload) []engine.Fact { return []engine.Fact{engine.Finished{Agent: p.Agent, Uncounted: true}} },
	"Interrupt": func(p *payload) []engine.Fact {
		return []engine.Fact{engine.Finished{Trouble: engine.Interrupted, Agent: p.Agent, Uncounted: true}}
	},
	"SubagentStart": func(p *payload) []engine.Fact {
		return []engine.Fact{engine.AgentRan{Agent: p.Agent, Type: sources.OneLine(p.AgentType), Told: true}}
	},
	"SubagentStop": func(p *payload) []engine.Fact { return []engine.Fact{engine.Finished{Agent: p.Agent}} },
	"PreCompact":   func(*payload) []engine.Fact { return []engine.Fact{engine.Compacting{}} },
	"PostCompact":  func(*payload) []engine.Fact { return []engine.Fact{engine.Compacting{Done: true}} },
	"SessionEnd":   func(*payload) []engine.Fact { return []engine.Fact{engine.Closed{}} },
}

// ofSession are the hooks about the session itself. From a sub-agent they show that it
// runs, and no more.
var ofSession = map[string]bool{"SessionStart": true, "UserPromptSubmit": true, "PreCompact": true, "PostCompact": true, "SessionEnd": true}

// ofAgent are the hooks that say nothing without a sub-agent.
var ofAgent = map[string]bool{"SubagentStart": true, "SubagentStop": true}

// trusting are the permission modes in which nothing asks.
var trusting = map[string]engine.Trusting{"bypassPermissions": {Calls: true}, "default": {}, "plan": {}}

// role is what kind of process called a hook.
type role uint8

const (
	byTerminal role = iota // the terminal interface itself: its pid is the session's
	byServer               // the daemon, which runs the turns of all terminals
	byScript               // a run that nobody attends
)

// called tells who called a hook. Where that cannot be looked up, who has a terminal is
// one.
func called(h *sources.Hook) role {
	if h.Caller != nil {
		if p, known := h.Caller(); known && len(p.Args) > 0 && native(p.Args[0]) {
			switch c := read(p.Args[1:]); {
			case c.command == daemon:
				return byServer
			case c.alone || commands[c.command]:
				return byScript
			}
		}
	}
	if h.TTY == "" {
		return byServer
	}
	return byTerminal
}

// hook translates one call of a hook. The daemon's environment is that of the first
// terminal of all, and its process serves every session: neither says anything of this
// one. It ends a session a minute after its terminal has gone, and also when one is
// resumed.
func hook(h sources.Hook) ([]engine.Event, error) {
	var p payload
	if err := h.Read(&p, &p.SessionID); err != nil {
		return nil, err
	}
	by := called(&h)
	if !form.MatchString(p.SessionID) || by == byScript {
		return nil, nil
	}
	if p.Event == "" {
		p.Event = h.Event
	}
	who := engine.Who{Tool: tool, ID: p.SessionID, Home: h.Env[homeEnv]}
	if by == byTerminal {
		who.PID, who.Ticks, who.TTY = h.PID, h.Ticks, h.TTY
	}
	if p.Agent == "" {
		who.Dir = p.CWD // a sub-agent may work in a folder of its own
	}
	facts := p.facts(by)
	if trust, known := trusting[p.Mode]; known && p.Agent == "" {
		facts = append(facts, trust, engine.Described{Mode: p.Mode})
	}
	out := make([]engine.Event, len(facts))
	for i, f := range facts {
		out[i] = engine.Event{At: h.At, By: engine.Hook, Who: who, Fact: f}
	}
	return out, nil
}

// facts is what the event says.
func (p *payload) facts(by role) []engine.Fact {
	translate := hooks[p.Event]
	switch {
	case p.Event == "SessionEnd" && by == byServer, p.Agent == "" && ofAgent[p.Event]:
		return nil
	case p.Agent != "" && ofSession[p.Event]:
		return []engine.Fact{engine.AgentRan{Agent: p.Agent, Type: sources.OneLine(p.AgentType), Told: true}}
	case translate != nil:
		return translate(p)
	case p.Agent == "":
		return []engine.Fact{engine.Lived{}}
	}
	return nil
}
