package gemini

import (
	"encoding/json"

	"deskbell/engine"
	"deskbell/sources"
)

// payload is the part of a hook's input that is read.
type payload struct {
	SessionID        string          `json:"session_id"`
	CWD              string          `json:"cwd"`
	Event            string          `json:"hook_event_name"`
	Timestamp        string          `json:"timestamp"`
	Source           string          `json:"source"`
	Reason           string          `json:"reason"`
	Prompt           string          `json:"prompt"`
	Tool             string          `json:"tool_name"`
	Input            json.RawMessage `json:"tool_input"`
	NotificationType string          `json:"notification_type"`
	Message          string          `json:"message"`
	Details          struct {
		Type     string `json:"type"`
		Title    string `json:"title"`
		Command  string `json:"command"`
		FileName string `json:"fileName"`
		FilePath string `json:"filePath"`
		ToolName string `json:"toolName"`
		Prompt   string `json:"prompt"`
	} `json:"details"`
}

// hooks is the translation of Gemini CLI's hooks, one line a hook. What is not here is a
// sign of life. PreCompress comes before every request, and tells of no summary.
var hooks = map[string]func(p *payload) []engine.Fact{
	"SessionStart": func(*payload) []engine.Fact { return []engine.Fact{engine.Started{}} },
	"BeforeAgent": func(p *payload) []engine.Fact {
		return []engine.Fact{engine.Prompted{Human: true}, engine.Described{Prompt: sources.Sentence(p.Prompt)}}
	},
	"BeforeTool": func(p *payload) []engine.Fact {
		k := key(p.Tool, p.Input)
		call := engine.CallOpened{Call: k + "@" + sources.OneLine(p.Timestamp), Key: k, Name: sources.OneLine(p.Tool), Text: about(p.Tool, p.Input)}
		if p.Tool != question {
			return []engine.Fact{call}
		}
		call.Quiet = engine.Answer // it always asks, and what it asks is told here alone
		return []engine.Fact{call, engine.Asked{Key: k, Name: call.Name, Question: true, Text: call.Text}}
	},
	"AfterTool": func(p *payload) []engine.Fact { return []engine.Fact{engine.CallClosed{Key: key(p.Tool, p.Input)}} },
	"Notification": func(p *payload) []engine.Fact {
		if p.NotificationType != "ToolPermission" {
			return nil
		}
		return []engine.Fact{p.asked()}
	},
	// It also comes when you stop a turn, and when one fails: the chat tells which.
	"AfterAgent": func(*payload) []engine.Fact { return []engine.Fact{engine.Finished{Uncounted: true}} },
	"SessionEnd": func(p *payload) []engine.Fact {
		if p.Reason == "clear" { // the conversation ends, the process does not
			return nil
		}
		return []engine.Fact{engine.Closed{}}
	},
}

// asked is the dialog that a notification tells of. One that does not say which call it is
// about ends with the next sign of its agent.
func (p *payload) asked() engine.Fact {
	d := &p.Details
	switch d.Type {
	case "exec":
		return engine.Asked{Key: sources.Key(d.Type, d.Command), Name: "run_shell_command", Text: sources.OneLine(d.Command)}
	case "edit":
		name := d.FileName
		if name == "" {
			name = d.FilePath
		}
		return engine.Asked{Key: sources.Key(d.Type, file(name)), Name: "edit", Text: sources.OneLine(name)}
	case question:
		return engine.Asked{Key: question, Name: question, Question: true}
	case "mcp":
		return engine.Asked{Key: d.Type, Name: sources.OneLine(d.ToolName), Brief: true}
	case "info":
		return engine.Asked{Key: d.Type, Name: sources.OneLine(d.Title), Text: sources.OneLine(d.Prompt), Brief: true}
	}
	return engine.Asked{Key: "other", Name: sources.OneLine(d.Title), Brief: true}
}

// hook translates one call of a hook. Of a run that nobody attends it is told as such.
func hook(h sources.Hook) ([]engine.Event, error) {
	var p payload
	if err := h.Read(&p, &p.SessionID); err != nil {
		return nil, err
	}
	if !form.MatchString(p.SessionID) {
		return nil, nil
	}
	if p.Event == "" {
		p.Event = h.Event
	}
	who := engine.Who{
		Tool: tool, ID: p.SessionID, PID: h.PID, Ticks: h.Ticks, TTY: h.TTY, Dir: p.CWD, Home: home(h.Env),
		Loose: h.PID != 0 && h.TTY == "",
	}
	var facts []engine.Fact
	if translate := hooks[p.Event]; translate != nil {
		facts = translate(&p)
	} else {
		facts = []engine.Fact{engine.Lived{}}
	}
	out := make([]engine.Event, len(facts))
	for i, f := range facts {
		out[i] = engine.Event{At: h.At, By: engine.Hook, Who: who, Fact: f}
	}
	return out, nil
}
