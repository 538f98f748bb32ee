package raw_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/claude"
	"deskbell/sources/raw"
)

var t0 = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

const (
	id   = "0c4e7b52-6a1d-4f38-9b0e-5d2f8a7c1e93"
	log  = "/home/dev/.claude/projects/-w-app/" + id + ".jsonl"
	proc = `{"pid":41,"ppid":40,"ticks":991,"tty":"/dev/pts/1","dir":"/w/app","args":["claude"],"env":{"CLAUDE_CONFIG_DIR":"/w/home","AGENT_MANAGER_TERMINAL_ID":"t7"}}`
)

// translate is the adapter's own hook, as package hooks calls it.
func translate(c sources.CLI, h sources.Hook) ([]engine.Event, error) {
	events, err := c.Hooks["*"](h)
	for i := range events {
		events[i].At, events[i].By = h.At, engine.Hook
	}
	return events, err
}

func world() *raw.World {
	return raw.New(raw.Options{CLIs: []sources.CLI{claude.CLI}, Translate: translate, RunsIn: func(p sources.Proc, _ func(int) (sources.Proc, bool)) string {
		return "in " + p.TTY
	}})
}

// play takes lines in, a second after each other, and lets the clock run on for one.
func play(t *testing.T, w *raw.World, lines ...string) (told []string) {
	t.Helper()
	tell := func(events []engine.Event) {
		for _, ev := range events {
			text, err := json.Marshal(engine.Line{Event: ev})
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, string(text))
		}
	}
	now := t0
	for _, line := range append(lines, "") {
		for next := w.Next(); !next.IsZero() && next.Before(now); next = w.Next() {
			tell(w.Due(next))
		}
		if line != "" {
			events, err := w.Take(now, []byte(strings.Replace(line, "{", fmt.Sprintf(`{"at":%q,`, now.Format(time.RFC3339Nano)), 1)))
			if err != nil {
				t.Fatal(err)
			}
			tell(events)
		}
		now = now.Add(time.Second)
	}
	return told
}

// TestForms checks what is told of each raw form.
func TestForms(t *testing.T) {
	line := `{"raw":"line","tool":"claude","path":"` + log + `","line":"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"},\"timestamp\":\"2026-11-30T07:59:59Z\",\"cwd\":\"/w/app\",\"entrypoint\":\"cli\",\"origin\":{\"kind\":\"human\"}}"}`
	listed := `{"raw":"file","tool":"claude","path":"sessions/41.json","text":"{\"pid\":41,\"sessionId\":\"` + id + `\",\"cwd\":\"/w/app\",\"kind\":\"interactive\",\"entrypoint\":\"cli\",\"status\":\"busy\",\"statusUpdatedAt\":1796025599000}"}`
	gone := `{"raw":"file","tool":"claude","path":"sessions/41.json","text":null}`
	for _, test := range []struct {
		name  string
		lines []string
		want  []string // parts of what is told, in order
	}{
		{"hook", []string{`{"raw":"hook","tool":"claude","event":"UserPromptSubmit","payload":{"session_id":"` + id + `","hook_event_name":"UserPromptSubmit","prompt":"hi","cwd":"/w/app"},"env":{"CLAUDE_CODE_ENTRYPOINT":"cli"},"pid":41,"ticks":991,"tty":"/dev/pts/1"}`},
			[]string{`"at":"2026-11-30T08:00:00Z","by":"hook","who":{"tool":"claude","id":"` + id + `","pid":41,"ticks":991,"dir":"/w/app","tty":"/dev/pts/1"`, `"fact":"prompted","human":true`}},
		{"a line, by its whole path", []string{line}, []string{`"home":"/home/dev/.claude"},"fact":"prompted","human":true`}},
		{"a line, below the home", []string{strings.Replace(line, "/home/dev/.claude/", "", 1)}, []string{`"id":"` + id + `"`, `"fact":"prompted","human":true`}},
		{"a file that comes, changes nothing and goes", []string{listed, listed, gone}, []string{`"fact":"listed","level":"busy"`, `"at":"2026-11-30T08:00:02Z"`, `"fact":"listed","level":"unlisted"`}},
		{"processes", []string{`{"raw":"procs","list":[` + proc + `,{"pid":50,"dir":"/w","args":["vim"]},{"pid":51,"args":["claude","-p","x"],"tty":""}]}`, `{"raw":"procs","list":[]}`},
			[]string{`"fact":"table","runs":[{"tool":"claude","pid":41,"ticks":991,"parent":40,"dir":"/w/app","term":"t7","tty":"/dev/pts/1","runs_in":"in /dev/pts/1","home":"/w/home"},{"tool":"claude","pid":51,"runs_in":"in ","loose":true}]}`, `"fact":"alive","yes":false`, `"fact":"table","runs":null`}},
		{"a title, by its process", []string{`{"raw":"procs","list":[` + proc + `]}`, `{"raw":"title","term":"t7","text":"◐ hi"}`},
			[]string{`"by":"terminal","who":{"tool":"claude","pid":41`, `"fact":"titled","form":"◐","level":"busy","moves":true`}},
		{"a title, by a hook", []string{`{"raw":"hook","tool":"claude","event":"Stop","payload":{"session_id":"` + id + `","hook_event_name":"Stop"},"env":{"CLAUDE_CODE_ENTRYPOINT":"cli","AGENT_MANAGER_TERMINAL_ID":"t8"},"tty":"/dev/pts/2"}`, `{"raw":"title","term":"t8","text":"✳ hi"}`},
			[]string{`"by":"terminal","who":{"tool":"claude","id":"` + id + `"`, `"level":"present"`}},
		{"a title, of a terminal", []string{`{"raw":"title","term":"t9","text":"✳ hi"}`}, []string{`"by":"terminal","who":{"tool":"claude","term":"t9"}`}},
		{"a title that says nothing", []string{`{"raw":"title","term":"t9","text":"vim"}`}, nil},
		{"a note", []string{`{"note":"start"}`}, nil},
	} {
		got := strings.Join(play(t, world(), test.lines...), "\n")
		rest := got
		for _, part := range test.want {
			i := strings.Index(rest, part)
			if i < 0 {
				t.Errorf("%s: %s is missing in\n%s", test.name, part, got)
				break
			}
			rest = rest[i+len(part):]
		}
		if test.want == nil && got != "" {
			t.Errorf("%s: got %s", test.name, got)
		}
		if n := strings.Count(got, `"listed"`); strings.HasPrefix(test.name, "a file") && n != 2 {
			t.Errorf("%s: told %d times", test.name, n)
		}
	}
}

func TestBadLines(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{`{"raw":"smell"}`, `no raw line is called "smell": there are hook, line, file, row, procs and title`},
		{`{"raw":"file","tool":"vim","path":"x"}`, `no tool is called "vim": there is claude`},
		{`{"raw":"file","text":"x"}`, `a file needs its path, "path": "sessions/41.json"`},
		{`{"raw":"line","path":"notes.txt","line":"x"}`, `no log of Claude Code lies at "notes.txt"`},
		{`{"raw":"line","path":"` + log + `","line":"{"}`, "unexpected end of JSON input"},
		{`{"raw":"file","path":"sessions/41.json","text":"{\"pid\":"}`, "unexpected EOF"},
		{`{"raw":"file","path":"sessions/41.json","text":"` + strings.Repeat("x", 2<<20) + `"}`, "sessions/41.json is larger than 1 MB"},
		{`{"raw":"title","text":"x"}`, `a title needs its terminal and its text`},
		{`{"raw":"procs","list":7}`, "cannot unmarshal number"},
		{`{"raw":`, "unexpected end of JSON input"},
	} {
		if events, err := world().Take(t0, []byte(test.line)); err == nil || !strings.Contains(err.Error(), test.want) || len(events) > 0 {
			t.Errorf("%.60s: got %v, %v, want %s", test.line, events, err, test.want)
		}
	}
}

// TestAnswers checks that only what something was observed of is answered.
func TestAnswers(t *testing.T) {
	who := engine.Who{Tool: "claude", PID: 41, ID: id}
	ask := func(w *raw.World, a engine.Ask) (told []string) {
		now := t0.Add(time.Minute)
		w.Ask(now, engine.Question{Ask: a, Who: who, Call: "c", Since: t0.Add(500 * time.Millisecond)})
		for next := w.Next(); !next.IsZero(); next = w.Next() {
			for _, ev := range w.Due(next) {
				text, _ := json.Marshal(engine.Line{Event: ev})
				told = append(told, string(text))
			}
		}
		return told
	}
	seen := world()
	play(t, seen, `{"raw":"procs","list":[`+proc+`]}`, `{"raw":"procs","list":[`+proc+`,{"pid":60,"ppid":41,"args":["npm"]}]}`,
		`{"raw":"file","path":"/home/dev/.claude/settings.json","text":"{}"}`,
		`{"raw":"line","path":"`+log+`","line":"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"},\"timestamp\":\"2026-11-30T07:59:59Z\",\"cwd\":\"/w/app\",\"entrypoint\":\"cli\",\"origin\":{\"kind\":\"human\"}}"}`)
	for a, want := range map[engine.Ask]string{
		engine.AskProcess: `"fact":"alive","yes":true`, engine.AskProcesses: `"fact":"table"`, engine.AskChildren: `"fact":"children","call":"c","yes":true`,
		engine.AskQuiet: `"fact":"quiet","yes":false`, engine.AskRecord: `"fact":"prompted","human":true`, engine.AskSettings: `"fact":"answering","yes":false`,
	} {
		if got := ask(world(), a); len(got) > 0 {
			t.Errorf("%v of nothing: got %q", a, got)
		}
		if got := strings.Join(ask(seen, a), "\n"); !strings.Contains(got, want) {
			t.Errorf("%v: got %q, want %s", a, got, want)
		}
	}
}

// TestBounded checks that no more is kept of logs and files than a look at them needs.
func TestBounded(t *testing.T) {
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	w := world()
	before := heap()
	text := strings.Repeat("x", 40<<10)
	for i := range 5000 {
		now := t0.Add(time.Duration(i) * 10 * time.Millisecond)
		large := fmt.Sprintf("%d %s", i, text)
		l := &raw.Line{At: now, Raw: "file", Path: fmt.Sprintf("notes/%d", i), Text: &large} // no tree of the CLI's: it costs nothing but room
		switch i % 5 {
		case 0: // a log that grows large
			l = &raw.Line{At: now, Raw: "line", Path: "projects/-w-app/" + id + ".jsonl", Line: `{"type":"none","x":"` + text[:8<<10] + `"}`}
		case 1: // ever new ones
			l = &raw.Line{At: now, Raw: "line", Path: fmt.Sprintf("projects/-w-app/%08x-6a1d-4f38-9b0e-5d2f8a7c1e93.jsonl", i), Line: `{"type":"none"}`}
		}
		if _, err := w.Observe(now, l); err != nil {
			t.Fatal(err)
		}
		for next := w.Next(); !next.IsZero() && !next.After(now); next = w.Next() {
			w.Due(now)
		}
	}
	if grown := heap() - before; grown > 80<<20 {
		t.Errorf("%d MB are kept of 125", grown>>20)
	}
	runtime.KeepAlive(w)
}
