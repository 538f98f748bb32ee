package codex

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// record is the part of a rollout's line that is read.
type record struct {
	Timestamp time.Time       `json:"timestamp"`
	Type      string          `json:"type"`
	Payload   json.RawMessage `json:"payload"`
}

// meta is the first line of a rollout.
type meta struct {
	ID         string          `json:"id"`
	SessionID  string          `json:"session_id"` // of a sub-agent: its parent's
	Parent     string          `json:"parent_thread_id"`
	Timestamp  time.Time       `json:"timestamp"` // when the thread was begun: a rollout appears with its first prompt
	CWD        string          `json:"cwd"`
	Originator string          `json:"originator"`
	Source     json.RawMessage `json:"source"`
	Nickname   string          `json:"agent_nickname"`
}

// attended are the originators of threads that somebody attends in a terminal; exec, the
// SDK and an MCP server name themselves otherwise.
var attended = map[string]bool{"codex-tui": true, "codex_cli_rs": true}

// scripted are the sources of threads that nobody attends, whoever originated them.
var scripted = map[string]bool{"exec": true, "mcp": true}

// spawned is the source of a sub-agent's thread.
type spawned struct {
	Subagent json.RawMessage `json:"subagent"`
}

// spawn is the usual kind of sub-agent. Others are Codex's own: they review, or compact.
type spawn struct {
	Thread struct {
		Parent   string `json:"parent_thread_id"`
		Nickname string `json:"agent_nickname"`
		Role     string `json:"agent_role"`
	} `json:"thread_spawn"`
}

// thread is one rollout while it is read.
type thread struct {
	rel   string
	who   engine.Who
	agent string // the sub-agent whose it is, of the session in who
	kind  string // what that is called
	apart bool   // its turns run in the server, not in its terminal
}

// rollout gets ready to read a log.
func rollout(rel string, first []byte) sources.Translate {
	if t := whose(rel, first); t != nil {
		return t.line
	}
	return nil
}

// whose reads the first line of a rollout. What no human began in a terminal is nobody's,
// unless it works for a session.
func whose(rel string, first []byte) *thread {
	var r record
	var m meta
	if json.Unmarshal(first, &r) != nil || r.Type != "session_meta" || json.Unmarshal(r.Payload, &m) != nil || !form.MatchString(m.ID) {
		return nil
	}
	t := &thread{rel: path.Base(rel), who: engine.Who{Tool: tool, ID: m.ID, Dir: m.CWD}}
	var word string
	var s spawned
	switch {
	case json.Unmarshal(m.Source, &word) == nil:
		if scripted[word] || !attended[m.Originator] && word != "cli" {
			return nil
		}
		t.apart = word != "cli"
	case json.Unmarshal(m.Source, &s) == nil && s.Subagent != nil:
		var of spawn
		if json.Unmarshal(s.Subagent, &of) != nil || of.Thread.Parent == "" || !attended[m.Originator] {
			return nil
		}
		parent := m.SessionID
		if parent == "" || parent == m.ID {
			parent = of.Thread.Parent
		}
		t.who, t.agent, t.kind = engine.Who{Tool: tool, ID: parent}, m.ID, sources.OneLine(of.Thread.Nickname)
		if t.kind == "" {
			t.kind = sources.OneLine(of.Thread.Role)
		}
	default:
		return nil
	}
	if !form.MatchString(t.who.ID) {
		return nil
	}
	return t
}

// kinds is how each kind of record is read. A kind that is not here is bookkeeping.
var kinds = map[string]func(t *thread, r *record) []engine.Fact{
	"session_meta":  (*thread).meta,
	"turn_context":  (*thread).context,
	"event_msg":     (*thread).event,
	"response_item": (*thread).item,
	"compacted":     func(t *thread, _ *record) []engine.Fact { return t.compacted() },
}

// line translates one line.
func (t *thread) line(text []byte) ([]engine.Event, error) {
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("rollout %s: %w", t.rel, err)
	}
	read := kinds[r.Type]
	if read == nil {
		return nil, nil
	}
	facts := read(t, &r)
	out := make([]engine.Event, len(facts))
	for i, f := range facts {
		out[i] = engine.Event{At: r.Timestamp, By: engine.Transcript, Who: t.who, Fact: f}
		if _, begins := f.(engine.Started); begins {
			out[i].At = t.began(&r)
		}
	}
	return out, nil
}

// began is when the thread was begun, by its first line.
func (t *thread) began(r *record) time.Time {
	var m meta
	if json.Unmarshal(r.Payload, &m) == nil && !m.Timestamp.IsZero() {
		return m.Timestamp
	}
	return r.Timestamp
}

// meta reads the first line. One further down is a copy from the thread it was forked from.
func (t *thread) meta(r *record) []engine.Fact {
	var m meta
	if json.Unmarshal(r.Payload, &m) != nil || m.ID != t.who.ID && m.ID != t.agent {
		return nil
	}
	if t.agent != "" {
		return []engine.Fact{engine.AgentRan{Agent: t.agent, Type: t.kind, Told: true}}
	}
	return []engine.Fact{engine.Started{Apart: t.apart}}
}

// context reads what a turn runs with.
func (t *thread) context(r *record) []engine.Fact {
	var c struct {
		CWD      string `json:"cwd"`
		Model    string `json:"model"`
		Approval string `json:"approval_policy"`
	}
	if json.Unmarshal(r.Payload, &c) != nil || t.agent != "" {
		return nil
	}
	if c.CWD != "" {
		t.who.Dir = c.CWD
	}
	return []engine.Fact{engine.Described{Model: sources.OneLine(c.Model), Mode: sources.OneLine(c.Approval)}}
}

// event reads what the program tells of a turn. Its ends count whatever turn they name
// (C56).
func (t *thread) event(r *record) []engine.Fact {
	var p struct {
		Type        string `json:"type"`
		Message     string `json:"message"`
		Reason      string `json:"reason"`
		Name        string `json:"thread_name"`
		Attribution struct {
			Trigger string `json:"turn_trigger"`
		} `json:"turn_attribution"`
		Error json.RawMessage `json:"error"`
		Item  struct {
			Type    string `json:"type"`
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"item"`
	}
	if json.Unmarshal(r.Payload, &p) != nil {
		return nil
	}
	switch p.Type {
	case "task_started", "turn_started":
		return t.prompted(p.Attribution.Trigger == "" || p.Attribution.Trigger == "user", "")
	case "task_complete", "turn_complete":
		return []engine.Fact{engine.Finished{Trouble: trouble(p.Error), Agent: t.agent}, engine.Wrote{Agent: t.agent}}
	case "error": // the end of its turn, which older versions go on to call complete
		return []engine.Fact{engine.Finished{Trouble: trouble(r.Payload), Agent: t.agent}, engine.Wrote{Agent: t.agent}}
	case "turn_aborted":
		return []engine.Fact{engine.Finished{Trouble: engine.Interrupted, Agent: t.agent}, engine.Wrote{Agent: t.agent}}
	case "user_message":
		return t.prompted(true, p.Message)
	case "agent_message":
		return t.replied()
	case "context_compacted":
		return t.compacted()
	case "thread_name_updated":
		if t.agent == "" {
			return []engine.Fact{engine.Described{Title: sources.OneLine(p.Name)}}
		}
	case "item_completed":
		text := ""
		if len(p.Item.Content) > 0 {
			text = p.Item.Content[0].Text
		}
		switch p.Item.Type {
		case "UserMessage":
			return t.prompted(true, text)
		case "AgentMessage":
			return t.replied()
		case "ContextCompaction":
			return t.compacted()
		}
	}
	return nil
}

func (t *thread) prompted(human bool, text string) []engine.Fact {
	if t.agent != "" {
		return []engine.Fact{engine.AgentRan{Agent: t.agent, Type: t.kind, Task: sources.Sentence(text), Told: true}, engine.Wrote{Agent: t.agent}}
	}
	out := []engine.Fact{engine.Prompted{Human: human}, engine.Wrote{}}
	if human && text != "" {
		out = append(out, engine.Described{Prompt: sources.Sentence(text)})
	}
	return out
}

func (t *thread) replied() []engine.Fact {
	return []engine.Fact{engine.Replied{Agent: t.agent}, engine.Wrote{Agent: t.agent}}
}

// compacted is the end of a summary. That of a sub-agent's conversation is its own affair.
func (t *thread) compacted() []engine.Fact {
	if t.agent != "" {
		return []engine.Fact{engine.Wrote{Agent: t.agent}}
	}
	return []engine.Fact{engine.Compacting{Done: true}, engine.Wrote{}}
}

// calls are the kinds of call that have a result of their own, and results those results.
var (
	calls   = map[string]bool{"function_call": true, "custom_tool_call": true, "local_shell_call": true, "tool_search_call": true}
	results = map[string]bool{"function_call_output": true, "custom_tool_call_output": true, "local_shell_call_output": true, "tool_search_output": true}
)

// item reads what the model and its tools say to each other. A call looks alike whether it
// runs or waits for a yes: its silence proves nothing, unless it is a question.
func (t *thread) item(r *record) []engine.Fact {
	var p struct {
		Type      string          `json:"type"`
		Name      string          `json:"name"`
		Call      string          `json:"call_id"`
		Arguments string          `json:"arguments"`
		Input     json.RawMessage `json:"input"`
		Action    json.RawMessage `json:"action"`
	}
	if json.Unmarshal(r.Payload, &p) != nil || p.Call == "" {
		return nil
	}
	switch {
	case calls[p.Type]:
		input := json.RawMessage(p.Arguments)
		switch {
		case p.Input != nil:
			input = p.Input
		case p.Action != nil:
			input = p.Action
		}
		name := named(p.Name)
		if name == "" {
			name = named(strings.TrimSuffix(p.Type, "_call"))
		}
		text := about(name, input)
		return []engine.Fact{
			engine.CallOpened{Call: p.Call, Name: name, Quiet: quiet[name], Mute: name != question, Agent: t.agent, Key: key(name, text), Text: text},
			engine.Wrote{Agent: t.agent},
		}
	case results[p.Type]:
		return []engine.Fact{engine.CallClosed{Call: p.Call, Agent: t.agent}, engine.Wrote{Agent: t.agent}}
	}
	return nil
}

// troubles translates the error a turn ended with; what is not here is an API error like
// any other.
var troubles = map[string]engine.Trouble{
	"usage_limit_exceeded": engine.RateLimit, "rate_limit_reached": engine.RateLimit, "server_overloaded": engine.Overloaded,
	"internal_server_error": engine.Overloaded, "unauthorized": engine.Auth, "bad_request": engine.BadRequest,
}

// trouble reads the error of a turn's end: a word, or an object whose only member is
// called so.
func trouble(raw json.RawMessage) engine.Trouble {
	var e *struct {
		Info json.RawMessage `json:"codex_error_info"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &e) == nil && e == nil {
		return ""
	}
	if e == nil {
		return engine.APIError
	}
	var word string
	if json.Unmarshal(e.Info, &word) != nil {
		var fields map[string]json.RawMessage
		if json.Unmarshal(e.Info, &fields) == nil && len(fields) == 1 {
			for word = range fields {
			}
		}
	}
	if known := troubles[word]; known != "" {
		return known
	}
	return engine.APIError
}
