package claude

import (
	"bytes"
	"encoding/json"
	"strings"

	"deskbell/engine"
	"deskbell/sources"
)

// payload is the part of a hook's input that is read (facts/claude.md section 2.2).
type payload struct {
	SessionID        string          `json:"session_id"`
	CWD              string          `json:"cwd"`
	Event            string          `json:"hook_event_name"`
	Mode             string          `json:"permission_mode"`
	Agent            string          `json:"agent_id"`
	AgentType        string          `json:"agent_type"`
	Source           string          `json:"source"`
	Model            string          `json:"model"`
	Prompt           string          `json:"prompt"`
	Tool             string          `json:"tool_name"`
	Input            json.RawMessage `json:"tool_input"`
	Call             string          `json:"tool_use_id"`
	NotificationType string          `json:"notification_type"`
	Error            json.RawMessage `json:"error"`
	Reason           string          `json:"reason"`
	NewCWD           string          `json:"new_cwd"`
	Message          string          `json:"message"`
	Last             string          `json:"last_assistant_message"`
	Cursor           string          `json:"cursor_version"` // Cursor calls the hooks of Claude Code too (C93)
	Calls            []struct {
		ID string `json:"tool_use_id"`
	} `json:"tool_calls"`
	Tasks []struct {
		Type   string `json:"type"`
		Status string `json:"status"`
	} `json:"background_tasks"`
	parent string // of a teammate, from its environment
	Effort struct {
		Level string `json:"level"`
	} `json:"effort"`
}

// hooks is the translation of Claude Code's hooks, one line a hook. What is not here
// is a sign of life.
var hooks = map[string]func(p *payload) []engine.Fact{
	"SessionStart": func(p *payload) []engine.Fact {
		if p.Source == "compact" {
			return []engine.Fact{engine.Compacting{Done: true}}
		}
		return []engine.Fact{engine.Started{Parent: p.parent}, engine.Described{Model: sources.OneLine(p.Model)}}
	},
	"UserPromptSubmit": func(p *payload) []engine.Fact {
		if machine[p.Source] || strings.HasPrefix(strings.TrimSpace(p.Prompt), notification) {
			return []engine.Fact{engine.Prompted{}}
		}
		return []engine.Fact{engine.Prompted{Human: true}, engine.Described{Prompt: sources.Sentence(p.Prompt)}}
	},
	"PreToolUse": func(p *payload) []engine.Fact {
		return []engine.Fact{engine.CallOpened{
			Call: p.Call, Name: sources.OneLine(p.Tool), Quiet: quiet[p.Tool], Edit: edits[p.Tool], Agent: p.Agent, Key: key(p.Tool, p.Input), Text: about(p.Tool, p.Input),
		}}
	},
	"PostToolUse":        closed,
	"PostToolUseFailure": closed,
	"PermissionDenied":   closed,
	"PostToolBatch": func(p *payload) (out []engine.Fact) {
		for _, c := range p.Calls {
			out = append(out, engine.CallClosed{Call: c.ID, Agent: p.Agent})
		}
		return out
	},
	"PermissionRequest": func(p *payload) []engine.Fact {
		return []engine.Fact{engine.Asked{
			Key: key(p.Tool, p.Input), Name: sources.OneLine(p.Tool), Agent: p.Agent, Question: asks[p.Tool], Text: about(p.Tool, p.Input),
		}}
	},
	"Notification": func(p *payload) []engine.Fact {
		if fact, known := notifications[p.NotificationType]; known {
			return []engine.Fact{fact}
		}
		return nil
	},
	"Elicitation": func(p *payload) []engine.Fact {
		return []engine.Fact{engine.Asked{Key: elicitation, Name: elicitation, Question: true, Text: sources.OneLine(p.Message)}}
	},
	"ElicitationResult": func(p *payload) []engine.Fact { return []engine.Fact{engine.Answered{Key: elicitation}} },
	"Stop":              func(p *payload) []engine.Fact { return []engine.Fact{p.end("")} },
	"StopFailure":       func(p *payload) []engine.Fact { return []engine.Fact{p.end(trouble(p.Error, p.Last))} },
	"Interrupt":         func(p *payload) []engine.Fact { return []engine.Fact{p.end(engine.Interrupted)} },
	"SubagentStart": func(p *payload) []engine.Fact {
		if p.Agent == "" {
			return nil
		}
		return []engine.Fact{engine.AgentRan{Agent: p.Agent, Type: sources.OneLine(p.AgentType)}}
	},
	"SubagentStop": func(p *payload) []engine.Fact {
		if p.Agent == "" {
			return nil
		}
		return []engine.Fact{engine.Finished{Agent: p.Agent}}
	},
	"PreCompact":  func(*payload) []engine.Fact { return []engine.Fact{engine.Compacting{}} },
	"PostCompact": func(*payload) []engine.Fact { return []engine.Fact{engine.Compacting{Done: true}} },
	"SessionEnd": func(p *payload) []engine.Fact {
		if p.Agent != "" || goesOn[p.Reason] {
			return nil
		}
		return []engine.Fact{engine.Closed{}}
	},
}

// ofSession are the hooks about the session itself. From a sub-agent they show that it
// runs, and no more (C13, C29).
var ofSession = map[string]bool{"SessionStart": true, "UserPromptSubmit": true, "PreCompact": true, "PostCompact": true}

// machine are the sources of prompts that no human typed.
var machine = map[string]bool{"system": true, "loop_wakeup": true, "schedule_wakeup": true, "poll_event": true}

// elicitation is the dialog of an MCP server. It is told twice, by a hook of its own and
// by a notification.
const elicitation = "elicitation"

// asks are the tools whose permission request is a question.
var asks = map[string]bool{"AskUserQuestion": true, "EnterPlanMode": true}

// goesOn are the reasons for which a conversation ends and its process does not.
var goesOn = map[string]bool{"clear": true, "resume": true}

// notifications are the kinds that say that something is asked; the permission prompt
// comes 6 s late, and an idle hint says nothing.
var notifications = map[string]engine.Fact{
	"permission_prompt":        engine.Asked{Key: "permission_prompt", Late: true},
	"worker_permission_prompt": engine.Asked{Key: "worker_permission_prompt", Brief: true},
	"agent_needs_input":        engine.Asked{Key: "agent_needs_input", Question: true, Brief: true},
	"elicitation_dialog":       engine.Asked{Key: elicitation, Name: elicitation, Question: true, Brief: true},
}

func closed(p *payload) []engine.Fact {
	return []engine.Fact{engine.CallClosed{Call: p.Call, Agent: p.Agent}}
}

// own are the background tasks during which the session goes on by itself.
var own = map[string]bool{"subagent": true, "workflow": true, "monitor": true}

// end is the end of a turn: of the session, or of the sub-agent it names (C13).
func (p *payload) end(why engine.Trouble) engine.Fact {
	f := engine.Finished{Trouble: why, Agent: p.Agent, Uncounted: p.Tasks == nil} // older versions list none
	for _, t := range p.Tasks {
		switch {
		case t.Status != "" && t.Status != "running":
		case own[t.Type]:
			f.Running++
		case t.Type == "shell":
			f.Shells++
		}
	}
	return f
}

// key tells tool and input, which is all that pairs a permission request with its
// call: it carries no id (facts/claude.md section 2.2). The client shortens what is
// long, so only the beginning counts.
func key(tool string, input json.RawMessage) string {
	text := []byte(about(tool, input))
	if len(text) == 0 {
		var b bytes.Buffer
		if json.Compact(&b, input) == nil { // hooks and transcripts space it differently
			text = b.Bytes()[:min(b.Len(), sources.Longest)]
		}
	}
	return sources.Key(tool, string(text))
}

// modes are the permission modes in which something never asks.
var modes = map[string]engine.Trusting{
	"bypassPermissions": {Calls: true}, "dontAsk": {Calls: true}, "acceptEdits": {Edits: true}, "auto": {Calls: true, Program: true},
	"default": {}, "plan": {}, "manual": {},
}

// hook translates one call of a hook. A run that nobody attends has none: its events
// are dropped even when they carry the id of a live session.
func hook(h sources.Hook) ([]engine.Event, error) {
	var p payload
	if err := h.Read(&p, &p.SessionID); err != nil {
		return nil, err
	}
	if p.SessionID == "" || p.Cursor != "" || scripted(h.Env["CLAUDE_CODE_ENTRYPOINT"]) || h.Env["CLAUDE_CODE_SESSION_ATTENDED"] == "0" {
		return nil, nil
	}
	if p.Event == "" {
		p.Event = h.Event
	}
	who := engine.Who{
		Tool: tool, ID: p.SessionID, PID: h.PID, Ticks: h.Ticks, TTY: h.TTY, Dir: p.CWD, Home: h.Env[homeEnv],
		RunsIn: editors[h.Env["CLAUDE_CODE_ENTRYPOINT"]],
	}
	switch {
	case p.Agent != "":
		who.Dir = "" // a sub-agent may work in a folder of its own
	case p.NewCWD != "":
		who.Dir = p.NewCWD
	}
	p.parent = h.Env["CLAUDE_CODE_PARENT_SESSION_ID"]
	var facts []engine.Fact
	if translate := hooks[p.Event]; p.Agent != "" && ofSession[p.Event] {
		facts = []engine.Fact{engine.AgentRan{Agent: p.Agent}}
	} else if translate != nil {
		facts = translate(&p)
	}
	if p.Event != "SessionEnd" && p.Event != "Stop" && p.Agent == "" && len(facts) == 0 {
		facts = append(facts, engine.Lived{})
	}
	if trust, known := modes[p.Mode]; known && p.Agent == "" {
		facts = append(facts, trust, engine.Described{Mode: p.Mode, Effort: sources.OneLine(p.Effort.Level)})
	}
	out := make([]engine.Event, len(facts))
	for i, f := range facts {
		out[i] = engine.Event{At: h.At, By: engine.Hook, Who: who, Fact: f}
	}
	return out, nil
}
