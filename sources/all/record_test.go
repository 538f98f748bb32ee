package all_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/engine/cli"
	"deskbell/engine/live"
	"deskbell/sources"
	"deskbell/sources/all"
	"deskbell/sources/hooks"
	"deskbell/sources/raw"
	"deskbell/sources/watch"
)

// canary is in every text that somebody wrote.
const canary = "CANARY"

// wrote are the fields that hold such text, whatever it looks like.
var wrote = regexp.MustCompile(`^(content|text|prompt|command|description|question|header|label|title|aiTitle|summary|lastPrompt|message|thinking|stdout|name)$`)

// marked adds the canary to every text in a JSON value. What has no space and lies in no
// such field is a name or a number.
func marked(v any, key string) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = marked(v[k], k)
		}
		_, call := v["input"]
		if name, is := v["name"].(string); is && call { // of a tool
			v["name"] = strings.TrimSuffix(name, " "+canary)
		}
	case []any:
		for i := range v {
			v[i] = marked(v[i], key)
		}
	case string:
		if wrote.MatchString(key) || strings.Contains(v, " ") && key != "waitingFor" {
			return v + " " + canary
		}
	}
	return v
}

func mark(t *testing.T, text []byte) []byte {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return text // half a file
	}
	out, err := json.Marshal(marked(v, ""))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rig is a deskbell that watches a home, without a desktop and without processes: whoever
// is asked about lives.
type rig struct {
	t     *testing.T
	ctx   context.Context
	dir   string
	clis  []sources.CLI
	loop  *live.Loop
	files *watch.Source
	feed  *live.Reader
	alive chan engine.Who
	known []engine.Who // who lives, and was asked about
	heard *heard
}

// heard is an engine, and which facts were told to it with what somebody wrote.
type heard struct {
	*engine.Engine
	marked map[string]int
}

func (h *heard) Apply(now time.Time, events ...engine.Event) engine.Step {
	for _, ev := range events {
		if strings.Contains(fmt.Sprintf("%+v", ev.Fact), canary) {
			h.marked[fmt.Sprintf("%T", ev.Fact)]++
		}
	}
	return h.Engine.Apply(now, events...)
}

func newRig(t *testing.T) *rig {
	dir, err := os.MkdirTemp("", "bell") // a short path: there is a socket in it
	if err != nil {
		t.Fatal(err)
	}
	claim, err := live.Claim(dir, live.SocketPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &rig{t: t, ctx: ctx, dir: dir, clis: all.CLIs(), heard: &heard{engine.New(engine.DefaultLimits()), map[string]int{}}, alive: make(chan engine.Who, 1000)}
	r.loop = live.NewLoop(r.heard)
	r.files = watch.New(watch.Options{CLIs: r.clis, Homes: func(sources.CLI) []string { return []string{r.home()} }})
	r.loop.Ask = func(q engine.Question) {
		r.files.Answer(q)
		if q.Ask == engine.AskProcess {
			r.alive <- q.Who
		}
	}
	var parts sync.WaitGroup
	parts.Go(func() { _ = r.loop.Run(ctx) })
	parts.Go(func() { _ = r.files.Run(ctx, r.loop.Emit) })
	parts.Go(func() { _ = (&live.Server{Loop: r.loop, Retell: r.retell}).Serve(ctx, claim) })
	r.feed = r.loop.Feed.Read()
	t.Cleanup(func() { r.feed.Close(); cancel(); parts.Wait(); os.RemoveAll(dir) })
	if _, err := r.feed.Next(ctx); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) home() string { return filepath.Join(r.dir, "home") }

func (r *rig) retell() {
	r.files.Retell()
	r.loop.Emit(engine.Event{By: engine.Process, Who: engine.Who{Tool: "claude"}, Fact: engine.Table{Runs: r.known}})
}

// settled returns when nobody has anything to say any more.
func (r *rig) settled() {
	r.files.Refresh()
	for quiet := 0; quiet < 2; quiet++ {
		for range len(r.alive) {
			who := <-r.alive
			r.known = append(r.known, who)
			r.loop.Emit(engine.Event{By: engine.Process, Who: who, Fact: engine.Alive{Yes: true}})
			quiet = 0
		}
		if err := errors.Join(r.files.Sync(r.ctx), r.loop.Do(r.ctx, func() {})); err != nil {
			r.t.Fatal(err)
		}
	}
}

// record begins a record. end ends it and returns its text.
func (r *rig) record() (end func() string) {
	file := filepath.Join(r.dir, "record")
	ctx, interrupt := context.WithCancel(r.ctx)
	began, says := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		code, _ := cli.Run([]string{"record", file}, cli.Env{Stdout: io.Discard, Stderr: says, Socket: live.SocketPath(r.dir), Context: ctx})
		ended <- code
	}()
	if line, err := bufio.NewReader(began).ReadString('\n'); !strings.HasPrefix(line, "recording to ") {
		r.t.Fatalf("%q, %v", line, err)
	}
	go io.Copy(io.Discard, began)
	return func() string {
		interrupt()
		if code := <-ended; code != 0 {
			r.t.Errorf("record: exit status %d", code)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			r.t.Fatal(err)
		}
		return string(text)
	}
}

// TestRecord has deskbell watch the files of a CLI while it is recorded, and calls its
// hooks: the record holds nothing that anybody wrote, and replays to what was seen.
func TestRecord(t *testing.T) {
	r := newRig(t)
	end := r.record()
	for _, name := range []string{"agent", "ask", "bash_allow", "title"} {
		lives(t, r.home(), recorded(t, name), r.settled)
	}
	for _, name := range []string{"agent", "ask", "plan", "parallel"} {
		calls(t, r.clis[0], filepath.Join("../claude/testdata/hooks", name+".jsonl"), r.loop.Emit)
		r.settled()
	}
	want := streamed(t, r.feed)
	var marked map[string]int
	if err := r.loop.Do(r.ctx, func() { marked = maps.Clone(r.heard.marked) }); err != nil {
		t.Fatal(err)
	}
	record := end()
	for line := range strings.Lines(record) {
		if strings.Contains(line, canary) {
			t.Errorf("recorded: %s", line)
		}
	}
	for _, fact := range []string{"engine.Described", "engine.CallOpened", "engine.Asked", "engine.AgentRan"} {
		if marked[fact] == 0 {
			t.Errorf("no canary was heard in a %s: %v", fact, marked)
		}
	}
	out, stderr, code := replays(t, record)
	if code != 0 || stderr != "" {
		t.Errorf("replay: exit status %d: %s", code, stderr)
	}
	later := streamed(t, r.feed) // some of it the record may have
	got := transitions(out)
	if n := len(got) - len(want); len(want) < 10 || n < 0 || n > len(later) || !slices.Equal(got, append(want, later[:n]...)) {
		t.Errorf("the replay shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestRecordFromTheMiddle begins a record while a session is under way: its replay shows
// that session as it is, and nothing of it changes by that.
func TestRecordFromTheMiddle(t *testing.T) {
	for _, test := range []struct{ name, until, is string }{
		{"bash_allow", "permission prompt", "approval"}, {"ask", "input needed", "input"}, {"agent", `"status\":\"busy`, "working"},
	} {
		r := newRig(t)
		head, rest, found := cut(recorded(t, test.name), test.until)
		if !found {
			t.Fatalf("%s never says %s", test.name, test.until)
		}
		lives(t, r.home(), head, r.settled)
		before := streamed(t, r.feed)
		end := r.record()
		r.settled()
		if changes := streamed(t, r.feed); len(before) == 0 || len(changes) > 0 {
			t.Errorf("%s: %q before the record, by which came %q", test.name, before, changes)
		}
		lives(t, r.home(), rest, r.settled)
		after := streamed(t, r.feed)
		out, stderr, code := replays(t, end())
		got := transitions(out)
		i := slices.IndexFunc(got, func(line string) bool { return strings.Contains(line, "-> "+test.is) })
		if code != 0 || i < 0 || !subset(after, got[i+1:]) {
			t.Errorf("%s: %s the replay shows\n%s\nwant\n%s -> %s\n%s", test.name, stderr, strings.Join(got, "\n"), "s1 …", test.is, strings.Join(after, "\n"))
		}
	}
}

// cut splits a recording behind the first line that says something.
func cut(recording, says string) (head, rest string, found bool) {
	i := strings.Index(recording, says)
	if i < 0 {
		return recording, "", false
	}
	i += strings.IndexByte(recording[i:], '\n') + 1
	return recording[:i], recording[i:], true
}

// subset reports whether the lines are among others, in that order.
func subset(lines, others []string) bool {
	for _, line := range lines {
		i := slices.Index(others, line)
		if i < 0 {
			return false
		}
		others = others[i+1:]
	}
	return true
}

func recorded(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../claude/testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// lives does to the files of a home what was recorded, marked.
func lives(t *testing.T, home, recording string, settled func()) {
	for line := range strings.Lines(recording) {
		var l raw.Line
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(home, filepath.FromSlash(l.Path))
		if l.Path != "" {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		switch {
		case l.Raw == "line":
			f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write(append(mark(t, []byte(l.Line)), '\n')); err != nil {
				t.Fatal(err)
			}
			f.Close()
		case l.Raw == "file" && l.Text == nil:
			settled()
			os.Remove(path)
		case l.Raw == "file":
			settled()
			if err := os.WriteFile(path, mark(t, []byte(*l.Text)), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, l.Mod, l.Mod); err != nil {
				t.Fatal(err)
			}
		}
	}
	settled()
}

// calls calls the hooks that were recorded, marked.
func calls(t *testing.T, c sources.CLI, recording string, emit func(...engine.Event)) {
	text, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var r struct {
			T       int64
			Env     map[string]string
			Payload json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		events, err := hooks.Translate(c, sources.Hook{Payload: mark(t, r.Payload), At: time.Unix(0, r.T), PID: 77, Ticks: 1, Env: r.Env})
		if err != nil {
			t.Fatal(err)
		}
		emit(events...)
	}
}

// transitions are the changes of statuses that were printed.
func transitions(out []printed) (lines []string) {
	for _, p := range out {
		if p.Notice == "" {
			lines = append(lines, fmt.Sprint(p.ID, " ", p.From, " -> ", p.To, " ", p.Rule))
		}
	}
	return lines
}

// streamed are those that a reader has not seen yet.
func streamed(t *testing.T, feed *live.Reader) (lines []string) {
	t.Helper()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for {
		news, err := feed.Next(over)
		if err != nil {
			return lines
		}
		if news.Snapshot != nil {
			t.Fatal("the feed was left behind")
		}
		for _, c := range news.Changes {
			if s := c.Session; s != nil && s.Status != c.From {
				lines = append(lines, fmt.Sprint(s.ID, " ", c.From, " -> ", s.Status, " ", s.Reason.Rule))
			}
		}
	}
}
