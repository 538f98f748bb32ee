package claude

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// record is the part of a transcript line that is read (facts/claude.md section 5).
type record struct {
	Type         string          `json:"type"`
	Subtype      string          `json:"subtype"`
	Timestamp    time.Time       `json:"timestamp"`
	CWD          string          `json:"cwd"`
	Entrypoint   string          `json:"entrypoint"`
	AgentID      string          `json:"agentId"`
	Sidechain    bool            `json:"isSidechain"`
	Meta         bool            `json:"isMeta"`
	Summary      bool            `json:"isCompactSummary"`
	APIError     bool            `json:"isApiErrorMessage"`
	Error        json.RawMessage `json:"error"`
	Origin       json.RawMessage `json:"origin"`
	PromptSource string          `json:"promptSource"`
	Mode         string          `json:"permissionMode"`
	Title        string          `json:"aiTitle"`
	CustomTitle  string          `json:"customTitle"`
	Pending      int             `json:"pendingBackgroundAgentCount"`
	Operation    string          `json:"operation"`
	HookLabel    string          `json:"hookLabel"`
	Result       json.RawMessage `json:"toolUseResult"`
	Message      json.RawMessage `json:"message"`
}

type message struct {
	Model      string          `json:"model"`
	StopReason string          `json:"stop_reason"`
	Content    json.RawMessage `json:"content"`
}

type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
}

// owner is the session a transcript belongs to, and the sub-agent whose it is.
func owner(rel string) (id, agent string) {
	name := path.Base(rel)
	if path.Base(path.Dir(rel)) != "subagents" {
		return strings.TrimSuffix(name, ".jsonl"), ""
	}
	agent = strings.TrimPrefix(name, "agent-")
	agent = strings.TrimSuffix(strings.TrimSuffix(agent, ".jsonl"), ".meta.json")
	return path.Base(path.Dir(path.Dir(rel))), agent
}

// transcript translates one line. Bookkeeping, local commands and command output
// are no turns; what a scripted run writes is nobody's (claude -p --resume writes
// into the transcript of a live session).
func transcript(rel string, line []byte) ([]engine.Event, error) {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, fmt.Errorf("transcript %s: %w", path.Base(rel), err)
	}
	if scripted(r.Entrypoint) {
		return nil, nil
	}
	id, agent := owner(rel)
	if agent == "" && r.Sidechain { // older versions kept them in one file
		if agent = r.AgentID; agent == "" {
			return nil, nil
		}
	}
	var facts []engine.Fact
	switch read := kindsOfRecord[r.Type]; {
	case read == nil:
		return nil, nil
	default:
		facts = read(&r, agent)
	}
	who := engine.Who{Tool: tool, ID: id}
	if agent == "" {
		who.Dir = r.CWD
	}
	out := make([]engine.Event, len(facts))
	for i, f := range facts {
		out[i] = engine.Event{At: r.Timestamp, By: engine.Transcript, Who: who, Fact: f}
	}
	return out, nil
}

// kindsOfRecord is how each kind of record is read. A kind that is not here is
// bookkeeping.
var kindsOfRecord = map[string]func(r *record, agent string) []engine.Fact{
	"user":      user,
	"assistant": assistant,
	"system":    system,
	"ai-title": func(r *record, _ string) []engine.Fact {
		return []engine.Fact{engine.Described{Title: sources.OneLine(r.Title)}}
	},
	"custom-title": func(r *record, _ string) []engine.Fact {
		return []engine.Fact{engine.Described{Title: sources.OneLine(r.CustomTitle)}}
	},
	"queue-operation": func(r *record, _ string) []engine.Fact {
		if fact, known := operations[r.Operation]; known {
			return []engine.Fact{fact}
		}
		return nil
	},
	"permission-mode": func(r *record, _ string) []engine.Fact {
		return []engine.Fact{engine.Described{Mode: sources.OneLine(r.Mode)}}
	},
}

// operations are what is done to the prompts in line behind a turn. One that is removed
// went into the turn that runs.
var operations = map[string]engine.Fact{
	"enqueue": engine.Queued{}, "dequeue": engine.Queued{Ran: true}, "remove": engine.Queued{Dropped: true}, "popAll": engine.Queued{Dropped: true},
}

func (r *record) message() (m message, blocks []block, text string) {
	if json.Unmarshal(r.Message, &m) != nil {
		return message{}, nil, ""
	}
	if json.Unmarshal(m.Content, &text) != nil {
		_ = json.Unmarshal(m.Content, &blocks) // a content of another kind has no blocks
	}
	return m, blocks, text
}

const interruptMark = "[Request interrupted by user"

// local are the beginnings of user records that no turn begins with: what the user
// ran himself, and what it printed.
var local = []string{"<command-", "<local-command-", "<bash-"}

const notification = "<task-notification>"

// feedback is what a Stop hook that sends the agent back tells it.
const feedback = "Stop hook feedback:"

func user(r *record, agent string) []engine.Fact {
	_, blocks, text := r.message()
	if r.Meta {
		if agent == "" && strings.HasPrefix(text, feedback) {
			return []engine.Fact{engine.Checked{Back: true}, engine.Wrote{}}
		}
		return nil
	}
	if r.Summary {
		return compacted(agent)
	}
	if text != "" {
		return said(r, agent, text)
	}
	var out []engine.Fact
	results := false
	for _, b := range blocks {
		if b.Type == "tool_result" {
			if results = true; b.ToolUseID == "" {
				continue
			}
			out = append(out, engine.CallClosed{Call: b.ToolUseID, Agent: agent})
		}
	}
	for _, b := range blocks {
		if b.Type != "text" || results && !strings.HasPrefix(b.Text, interruptMark) {
			continue
		}
		out = append(out, said(r, agent, b.Text)...)
		break
	}
	if len(out) == 0 && !results {
		return nil
	}
	if id := background(r.Result); id != "" && agent == "" {
		out = append(out, engine.TaskRan{Task: id})
	}
	return append(out, engine.Wrote{Agent: agent})
}

// background is the shell that a command went on in after its call.
func background(result json.RawMessage) string {
	var b struct {
		ID string `json:"backgroundTaskId"`
	}
	_ = json.Unmarshal(result, &b) // a result that is plain text names none
	return b.ID
}

// said translates the text of a user record. What a person typed is a prompt, whatever it
// looks like (C20).
func said(r *record, agent, text string) []engine.Fact {
	text = strings.TrimSpace(text)
	marked := func(mark string) bool { return strings.HasPrefix(text, mark) && r.origin() != byHuman }
	if slices.ContainsFunc(local, marked) {
		return nil
	}
	switch {
	case marked(interruptMark):
		return []engine.Fact{engine.Finished{Trouble: engine.Interrupted, Agent: agent}, engine.Wrote{Agent: agent}}
	case agent != "":
		return []engine.Fact{engine.AgentRan{Agent: agent}, engine.Wrote{Agent: agent}}
	case marked(notification):
		out := []engine.Fact{engine.Prompted{}}
		if id := between(text, "<task-id>", "</task-id>"); id != "" {
			out = append(out, engine.TaskRan{Task: id, Done: true})
		}
		return out
	}
	human := r.human()
	d := engine.Described{Mode: sources.OneLine(r.Mode)}
	if human {
		d.Prompt = sources.Sentence(text)
	}
	return []engine.Fact{engine.Prompted{Human: human}, d, engine.Wrote{}}
}

// byHuman is the origin of what a person typed.
const byHuman = "human"

// origin is what kind of author the record names, "" if it names none.
func (r *record) origin() string {
	var origin struct {
		Kind string `json:"kind"`
	}
	_ = json.Unmarshal(r.Origin, &origin) // an origin that is a plain word is none of a person's
	return origin.Kind
}

// human reports whether a person wrote the prompt. Older versions do not say.
func (r *record) human() bool {
	if editors[r.Entrypoint] != "" && r.PromptSource == "sdk" {
		return true // what the user types there comes through the editor
	}
	if kind := r.origin(); kind != "" {
		return kind == byHuman
	}
	return len(r.Origin) == 0 && (r.PromptSource == "" || r.PromptSource == "typed" || r.PromptSource == "queued")
}

// stops are the reasons of a message's end that end the turn, and what they mean.
var stops = map[string]engine.Trouble{"end_turn": "", "stop_sequence": "", "refusal": "", "max_tokens": engine.MaxOutput}

const synthetic = "<synthetic>"

func assistant(r *record, agent string) []engine.Fact {
	m, blocks, _ := r.message()
	if r.APIError {
		text := ""
		if len(blocks) > 0 {
			text = blocks[0].Text
		}
		return []engine.Fact{engine.Replied{Agent: agent}, engine.Finished{Trouble: trouble(r.Error, text), Agent: agent}, engine.Wrote{Agent: agent}}
	}
	if len(blocks) == 0 {
		return nil
	}
	if m.Model == synthetic { // "No response requested." after a turn that never ended
		return nil
	}
	var out []engine.Fact
	var spoke, calls bool
	for _, b := range blocks {
		switch b.Type {
		case "tool_use":
			if calls = true; b.ID == "" {
				continue
			}
			out = append(out, engine.CallOpened{
				Call: b.ID, Name: sources.OneLine(b.Name), Quiet: quiet[b.Name], Edit: edits[b.Name], Agent: agent, Key: key(b.Name, b.Input), Text: about(b.Name, b.Input),
			})
		case "text":
			spoke = true
		}
	}
	if spoke && !calls {
		out = append(out, engine.Replied{Agent: agent})
		if why, ends := stops[m.StopReason]; ends {
			out = append(out, engine.Finished{Trouble: why, Agent: agent})
		}
	}
	if agent == "" {
		out = append(out, engine.Described{Model: sources.OneLine(m.Model)})
	}
	return append(out, engine.Wrote{Agent: agent})
}

func system(r *record, agent string) []engine.Fact {
	switch r.Subtype {
	case "turn_duration":
		return []engine.Fact{engine.Finished{Running: r.Pending, Agent: agent}}
	case "stop_hook_summary":
		if r.HookLabel != "" || agent != "" { // of hooks that are none of a turn's end
			return nil
		}
		return []engine.Fact{engine.Checked{}}
	case "compact_boundary":
		return compacted(agent)
	}
	return nil
}

// compacted is the end of a summary. That of a sub-agent's conversation is its own affair.
func compacted(agent string) []engine.Fact {
	if agent != "" {
		return []engine.Fact{engine.AgentRan{Agent: agent}}
	}
	return []engine.Fact{engine.Compacting{Done: true}}
}

// troubles translates the error of a turn's end; what is not here is an API error
// like any other.
var troubles = map[string]engine.Trouble{
	"rate_limit": engine.RateLimit, "overloaded": engine.Overloaded, "server_error": engine.Overloaded,
	"authentication_failed": engine.Auth, "oauth_org_not_allowed": engine.Auth, "account_on_hold": engine.Auth,
	"verification_required": engine.Auth, "cloud_credential_error": engine.Auth, "billing_error": engine.Billing,
	"invalid_request": engine.BadRequest, "model_not_found": engine.BadRequest, "max_output_tokens": engine.MaxOutput,
}

// byCode translates the HTTP status in the text of an error that has no word: 2.1.100
// calls an overloaded API unknown.
var byCode = map[string]engine.Trouble{"401": engine.Auth, "429": engine.RateLimit, "529": engine.Overloaded}

const apiError = "API Error: "

func trouble(raw json.RawMessage, text string) engine.Trouble {
	var word string
	_ = json.Unmarshal(raw, &word) // an error of another shape is one like any other
	if t, known := troubles[word]; known {
		return t
	}
	_, text, _ = strings.Cut(text, apiError)
	status, _, _ := strings.Cut(text, " ")
	if t, known := byCode[status]; known {
		return t
	}
	return engine.APIError
}
