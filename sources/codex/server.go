package codex

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// served is a thread of the server.
type served struct {
	ours   bool   // it is a session in a terminal; others are its helpers
	parent string // the session it works for
	dir    string
	asks   bool // a sub-agent's dialog is open
	status *status
}

// status is what the server says of a thread.
type status struct {
	Type  string   `json:"type"`
	Flags []string `json:"activeFlags"`
}

// levels translates the status of a thread. notLoaded is silence: another process may run
// it.
var levels = map[string]engine.Level{
	"idle": engine.ListedIdle, "active": engine.ListedBusy, "systemError": engine.ListedFailed, "notLoaded": engine.ListedSilent,
}

// flags translates what an active thread waits for.
var flags = map[string]engine.Level{"waitingOnApproval": engine.ListedAsking, "waitingOnUserInput": engine.ListedQuestion}

// level is what s says. known is false for a word that says nothing.
func (s *status) level() (l engine.Level, known bool) {
	l, known = levels[s.Type]
	for _, f := range s.Flags {
		if asks, is := flags[f]; is && s.Type == "active" {
			l = asks
		}
	}
	return l, known
}

// message is what the server sends: an answer, or a notice.
type message struct {
	ID     *int            `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Params json.RawMessage `json:"params"`
	At     int64           `json:"emittedAtMs"`
}

// hear takes in one message.
func (l *live) hear(m message) {
	if m.ID != nil && m.Method == "" {
		thread, asked := l.asked[*m.ID]
		delete(l.asked, *m.ID)
		switch {
		case !asked:
		case thread == "":
			l.loaded(m.Result)
		default:
			l.read(thread, m.Result)
		}
		return
	}
	var p struct {
		Thread string  `json:"threadId"`
		Status *status `json:"status"`
		Name   string  `json:"threadName"`
	}
	if json.Unmarshal(m.Params, &p) != nil || !form.MatchString(p.Thread) {
		return
	}
	switch m.Method {
	case "thread/status/changed":
		if p.Status != nil {
			l.changed(p.Thread, p.Status)
		}
	case "thread/closed":
		l.changed(p.Thread, &status{Type: "notLoaded"})
	case "thread/name/updated":
		if t := l.threads[p.Thread]; t != nil && t.ours && p.Name != "" {
			l.emit(engine.Event{At: l.now(), By: engine.Listing, Who: engine.Who{Tool: tool, ID: p.Thread, Home: l.home}, Fact: engine.Described{Title: sources.OneLine(p.Name)}})
		}
	}
}

// loaded asks about each thread that the server runs.
func (l *live) loaded(result json.RawMessage) {
	var r struct {
		Data []string `json:"data"`
	}
	if json.Unmarshal(result, &r) != nil {
		return
	}
	for _, id := range r.Data {
		l.inquire(id)
	}
}

// most is how many threads are kept in mind.
const most = 1024

// inquire asks about a thread that is new to us.
func (l *live) inquire(id string) *served {
	t := l.threads[id]
	if t != nil || !form.MatchString(id) || len(l.threads) >= most {
		return t
	}
	l.threads[id] = &served{}
	l.ask(id, "thread/read", map[string]any{"threadId": id, "includeTurns": false})
	return l.threads[id]
}

// read takes in what a thread is.
func (l *live) read(id string, result json.RawMessage) {
	var r struct {
		Thread struct {
			ID         string          `json:"id"`
			Session    string          `json:"sessionId"`
			Parent     string          `json:"parentThreadId"`
			CWD        string          `json:"cwd"`
			Name       string          `json:"name"`
			Ephemeral  bool            `json:"ephemeral"`
			Originator string          `json:"originator"`
			Source     json.RawMessage `json:"source"`
			Status     *status         `json:"status"`
		} `json:"thread"`
	}
	t := l.threads[id]
	if t == nil || json.Unmarshal(result, &r) != nil || r.Thread.ID != id {
		return
	}
	th := &r.Thread
	if t.status == nil { // else it has changed since it was asked about
		t.status = th.Status
	}
	var source string
	plain := json.Unmarshal(th.Source, &source) == nil
	switch {
	case th.Ephemeral || scripted[source]:
	case th.Parent != "" && th.Parent != id:
		if form.MatchString(th.Parent) {
			t.parent = th.Parent
		}
	case plain && (th.Originator == "" || attended[th.Originator] || source == "cli"):
		t.ours, t.dir = true, th.CWD
		who := engine.Who{Tool: tool, ID: id, Home: l.home, Dir: th.CWD}
		l.emit(engine.Event{At: began(id), By: engine.Listing, Who: who, Fact: engine.Started{Apart: true}})
		if th.Name != "" {
			l.emit(engine.Event{At: l.now(), By: engine.Listing, Who: who, Fact: engine.Described{Title: sources.OneLine(th.Name)}})
		}
	}
	l.tell(id, t)
}

// changed takes in what the server says of a thread by now.
func (l *live) changed(id string, s *status) {
	t := l.threads[id]
	if t == nil {
		if s.Type == "notLoaded" {
			return
		}
		if t = l.inquire(id); t == nil {
			return
		}
	}
	t.status = s
	l.tell(id, t)
	if s.Type == "notLoaded" {
		delete(l.threads, id)
	}
}

// tell says where a thread stands. What a sub-agent waits for is a dialog of its session.
func (l *live) tell(id string, t *served) {
	if t.status == nil {
		return
	}
	level, known := t.status.level()
	switch {
	case !known:
	case t.ours:
		l.roster(engine.Member{ID: id, Level: level, Dir: t.dir})
	case t.parent != "":
		asks := level == engine.ListedAsking || level == engine.ListedQuestion
		if asks == t.asks {
			return
		}
		t.asks = asks
		var fact engine.Fact = engine.Answered{Key: id, Agent: id}
		if asks {
			fact = engine.Asked{Key: id, Agent: id, Question: level == engine.ListedQuestion}
		}
		l.emit(engine.Event{At: l.now(), By: engine.Listing, Who: engine.Who{Tool: tool, ID: t.parent, Home: l.home}, Fact: fact})
	}
}

// began is when a thread was begun: its id says so (UUID version 7).
func began(id string) time.Time {
	ms, err := strconv.ParseInt(strings.ReplaceAll(id[:13], "-", ""), 16, 64)
	if err != nil || id[14] != '7' {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
