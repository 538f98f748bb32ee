package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// sessionFile is the part of sessions/<pid>.json that is read (facts/claude.md
// section 3).
type sessionFile struct {
	PID        int             `json:"pid"`
	SessionID  string          `json:"sessionId"`
	CWD        string          `json:"cwd"`
	StartedAt  int64           `json:"startedAt"`
	ProcStart  json.RawMessage `json:"procStart"`
	PIDDomain  string          `json:"pidDomain"`
	Kind       string          `json:"kind"`
	Entrypoint string          `json:"entrypoint"`
	Name       string          `json:"name"`
	NameSource string          `json:"nameSource"`
	Status     string          `json:"status"`
	WaitingFor string          `json:"waitingFor"`
	StatusAt   int64           `json:"statusUpdatedAt"`
}

// levels translates status; a word that is not here changes nothing.
var levels = map[string]engine.Level{
	"": engine.Present, "busy": engine.ListedBusy, "idle": engine.ListedIdle, "shell": engine.ListedShell,
}

// waits translates waitingFor while the status is waiting; what is not here waits
// for something nobody knows.
var waits = map[string]engine.Level{
	"permission prompt": engine.ListedAsking, "worker request": engine.ListedAsking, "sandbox request": engine.ListedAsking,
	"goal proposal": engine.ListedAsking, "input needed": engine.ListedQuestion, "dialog open": engine.ListedDialog,
}

// kinds are the kinds of session that are none: the daemon's own processes.
var kinds = map[string]bool{"daemon": true, "daemon-worker": true}

// scripted reports whether nobody attends a run with this entry point: claude -p
// and the SDKs. Editors name themselves and are attended.
func scripted(entrypoint string) bool { return strings.HasPrefix(entrypoint, "sdk") }

// session reads sessions/<pid>.json. It is written in place: the first JSON value
// counts, and what follows is the tail of an older one.
func session(f sources.File) ([]engine.Event, error) {
	if f.Text == nil {
		return gone(f), nil
	}
	var s sessionFile
	if err := json.NewDecoder(bytes.NewReader(f.Text)).Decode(&s); err != nil {
		return nil, fmt.Errorf("session file %s: %w", f.Rel, err)
	}
	if s.PID <= 0 || s.SessionID == "" || kinds[s.Kind] || scripted(s.Entrypoint) {
		return nil, nil
	}
	if s.Status == "" && len(s.ProcStart) == 0 && s.StartedAt == 0 {
		return nil, nil // left by an older tool: nothing tells whether the process is the one it was (C36)
	}
	who := engine.Who{
		Tool: tool, ID: s.SessionID, PID: s.PID, Ticks: ticks(s.ProcStart), Domain: s.PIDDomain, Dir: s.CWD,
		RunsIn: editors[s.Entrypoint],
	}
	say := func(at time.Time, fact engine.Fact) engine.Event {
		return engine.Event{At: at, By: engine.Listing, Who: who, Fact: fact}
	}
	var out []engine.Event
	if s.StartedAt > 0 {
		out = append(out, say(time.UnixMilli(s.StartedAt), engine.Started{}))
	}
	if s.NameSource != "derived" && s.Name != "" {
		out = append(out, say(f.Mod, engine.Described{Title: sources.OneLine(s.Name)}))
	}
	level, known := levels[s.Status]
	if s.Status == "waiting" {
		if level, known = waits[s.WaitingFor]; !known {
			level, known = engine.ListedWaiting, true
		}
	}
	if !known {
		return out, nil
	}
	at := f.Mod
	if s.StatusAt > 0 {
		at = time.UnixMilli(s.StatusAt)
	}
	return append(out, say(at, engine.Listed{Level: level})), nil
}

// editors names the editor that attends a session without a terminal.
var editors = map[string]string{"claude-vscode": "VS Code", "claude-desktop": "Claude Desktop"}

// ticks reads procStart: on Linux field 22 of /proc/<pid>/stat, as a string or a
// number. Elsewhere it is no number and identifies nothing.
func ticks(raw json.RawMessage) uint64 {
	n, _ := strconv.ParseUint(strings.Trim(string(raw), `"`), 10, 64)
	return n
}

// starting reads sessions/<pid>.<hash>.key, by its name alone: it appears when a CLI
// starts, and about 50 ms before the session file unless a trust dialog is open.
func starting(f sources.File) ([]engine.Event, error) {
	if f.Text == nil {
		return gone(f), nil
	}
	pid := number(f.Rel)
	if pid == 0 {
		return nil, nil
	}
	return []engine.Event{{At: f.Mod, By: engine.Listing, Who: engine.Who{Tool: tool, PID: pid}, Fact: engine.Listed{Level: engine.ListedStarting}}}, nil
}

// gone tells that the CLI took its file away, which it does when it exits.
func gone(f sources.File) []engine.Event {
	pid := number(f.Rel)
	if pid == 0 {
		return nil
	}
	return []engine.Event{{At: f.Mod, By: engine.Listing, Who: engine.Who{Tool: tool, PID: pid}, Fact: engine.Listed{Level: engine.Unlisted}}}
}

// number is the pid in the name of a file under sessions, 0 if it has none. Older
// tools left "pid-<n>.json" there (C36).
func number(rel string) int {
	name, _, _ := strings.Cut(path.Base(rel), ".")
	n, err := strconv.ParseInt(name, 10, 32)
	if err != nil {
		return 0
	}
	return max(int(n), 0)
}

// meta reads the description of a sub-agent beside its transcript.
func meta(f sources.File) ([]engine.Event, error) {
	if f.Text == nil {
		return nil, nil
	}
	var m struct {
		AgentType   string `json:"agentType"`
		Description string `json:"description"`
		Finished    bool   `json:"finished"`
	}
	if err := json.Unmarshal(f.Text, &m); err != nil {
		return nil, fmt.Errorf("sub-agent %s: %w", f.Rel, err)
	}
	if m.AgentType == "" && !m.Finished {
		return nil, nil
	}
	id, agent := owner(f.Rel)
	return []engine.Event{{
		At: f.Mod, By: engine.Transcript, Who: engine.Who{Tool: tool, ID: id},
		Fact: engine.AgentRan{Agent: agent, Type: sources.OneLine(m.AgentType), Task: sources.OneLine(m.Description), Done: m.Finished},
	}}, nil
}
