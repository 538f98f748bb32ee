package opencode

import (
	"encoding/json"
	"fmt"
	"regexp"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// largest is how long a message or a part may be to be read.
const largest = "1048576"

// whole is the text in a column, unless it is too long.
func whole(column string) string {
	return "CASE WHEN length(" + column + ") <= " + largest + " THEN " + column + " END"
}

// about are the columns that tell of a row's session, which is called s in SQL.
func columns(s string, more map[string]string) map[string]string {
	all := map[string]string{
		"id": "t.id", "created": "t.time_created", "updated": "t.time_updated",
		"session": s + ".id", "dir": s + ".directory", "title": s + ".title", "rules": s + ".permission", "archived": s + ".time_archived",
		// A sub-agent is a session of its own, below the one that you talk to.
		"root": "(WITH RECURSIVE up(id, parent, n) AS (SELECT " + s + ".id, " + s + ".parent_id, 0" +
			" UNION ALL SELECT x.id, x.parent_id, n + 1 FROM session x JOIN up ON x.id = up.parent WHERE n < 8)" +
			" SELECT id FROM up ORDER BY n DESC LIMIT 1)",
	}
	for name, column := range more {
		all[name] = column
	}
	return all
}

// lately is how many messages of a session are read when it is asked about.
const lately = "30"

// recent are the last messages of the session ?1, and of its sub-agents.
const recent = "(SELECT id FROM message WHERE session_id = ?1 ORDER BY time_created DESC LIMIT " + lately + ")"

var (
	sessions = sources.Table{
		Name: "session", Old: true,
		Columns: columns("t", map[string]string{"kind": "t.agent"}),
		Session: "t.id = ?1 OR t.parent_id = ?1",
		Open:    func(r sources.Row) bool { return derived.MatchString(r.Text("title")) },
		Read:    session,
	}
	messages = sources.Table{
		Name: "message", Old: true, Join: "JOIN session s ON s.id = t.session_id",
		Columns: columns("s", map[string]string{
			"data":  whole("t.data"),
			"after": "(SELECT a.id FROM message a WHERE a.session_id = t.session_id AND a.time_created < t.time_created ORDER BY a.time_created DESC, a.id DESC LIMIT 1)",
		}),
		Session: "t.id IN " + recent,
		Open:    func(r sources.Row) bool { return open(r) },
		Read:    message,
	}
	parts = sources.Table{
		Name: "part", Join: "JOIN session s ON s.id = t.session_id JOIN message m ON m.id = t.message_id",
		Columns: columns("s", map[string]string{
			"data": whole("t.data"), "message": "t.message_id", "role": "CASE WHEN json_valid(m.data) THEN json_extract(m.data, '$.role') END",
		}),
		Session: "t.message_id IN " + recent,
		Open:    func(r sources.Row) bool { return openPart(r) },
		Read:    part,
	}
)

// derived is a title that nobody gave yet.
var derived = regexp.MustCompile(`^(New session|Child session) - \d{4}-\d\d-\d\dT`)

// unasked are what a scripted run may not do: it has nobody to ask. Its session is told by
// that, and by nothing else.
var unasked = []string{"question", "plan_enter", "plan_exit"}

// scripted reports whether the rules of a session are those of "opencode run".
func scripted(rules string) bool {
	var list []struct{ Permission, Pattern, Action string }
	if rules == "" || json.Unmarshal([]byte(rules), &list) != nil {
		return false
	}
	denied := map[string]bool{}
	for _, r := range list {
		if r.Action == "deny" && r.Pattern == "*" {
			denied[r.Permission] = true
		}
	}
	for _, p := range unasked {
		if !denied[p] {
			return false
		}
	}
	return true
}

// row is who a row is about, and what it says.
type row struct {
	who   engine.Who
	agent string // the sub-agent whose row it is
	out   []engine.Event
}

// of is nil where a row is nobody's.
func of(r sources.Row) *row {
	id, root := r.Text("session"), r.Text("root")
	if !form.MatchString(id) || !form.MatchString(root) || r.Int("archived") != 0 {
		return nil
	}
	o := &row{who: engine.Who{Tool: tool, ID: root, Loose: scripted(r.Text("rules"))}}
	if id == root {
		o.who.Dir = r.Text("dir")
	} else {
		o.agent = id
	}
	return o
}

// say adds facts. at is in ms; what comes later in the list happened later.
func (o *row) say(at int64, facts ...engine.Fact) {
	for _, f := range facts {
		o.out = append(o.out, engine.Event{At: time.UnixMilli(at), By: engine.Transcript, Who: o.who, Fact: f})
	}
}

// titled says what the session is called.
func (o *row) titled(r sources.Row) {
	if title := r.Text("title"); o.agent == "" && title != "" && !derived.MatchString(title) {
		o.say(r.Int("updated"), engine.Described{Title: sources.OneLine(title)})
	}
}

// session reads a row about a session itself.
func session(r sources.Row) ([]engine.Event, error) {
	o := of(r)
	if o == nil || r.Int("created") <= 0 {
		return nil, nil
	}
	if o.agent != "" {
		o.say(r.Int("created"), engine.AgentRan{Agent: o.agent, Type: sources.OneLine(r.Text("kind")), Task: sources.OneLine(r.Text("title"))})
		return o.out, nil
	}
	o.say(r.Int("created"), engine.Started{})
	o.titled(r)
	return o.out, nil
}

// decode reads the JSON of a row, which is missing where it is too long.
func decode(r sources.Row, to any) error {
	text := r.Text("data")
	if text == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), to); err != nil {
		return fmt.Errorf("data: %w", err)
	}
	return nil
}
