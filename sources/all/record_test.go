package all_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
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

// TestRecord has deskbell watch the files of a CLI while it is recorded, and calls its
// hooks: the record holds nothing that anybody wrote, and replays to what was seen.
func TestRecord(t *testing.T) {
	dir, err := os.MkdirTemp("", "bell") // a short path: there is a socket in it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	claim, err := live.Claim(dir, live.SocketPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	clis, home := all.CLIs(), filepath.Join(dir, "home")
	loop := live.NewLoop(engine.New(engine.DefaultLimits()))
	files := watch.New(watch.Options{CLIs: clis, Homes: func(sources.CLI) []string { return []string{home} }})
	alive := make(chan engine.Who, 1000)
	loop.Ask = func(q engine.Question) {
		files.Answer(q)
		if q.Ask == engine.AskProcess {
			alive <- q.Who
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var parts sync.WaitGroup
	defer parts.Wait()
	defer cancel()
	parts.Go(func() { _ = loop.Run(ctx) })
	parts.Go(func() { _ = files.Run(ctx, loop.Emit) })
	parts.Go(func() { _ = (&live.Server{Loop: loop, Retell: files.Retell}).Serve(ctx, claim) })
	settled := func() { // until nobody has anything to say any more
		files.Refresh()
		for quiet := 0; quiet < 2; quiet++ {
			for range len(alive) {
				loop.Emit(engine.Event{By: engine.Process, Who: <-alive, Fact: engine.Alive{Yes: true}})
				quiet = 0
			}
			if err := errors.Join(files.Sync(ctx), loop.Do(ctx, func() {})); err != nil {
				t.Fatal(err)
			}
		}
	}
	feed := loop.Feed.Read()
	defer feed.Close()
	if _, err := feed.Next(ctx); err != nil {
		t.Fatal(err)
	}
	record := filepath.Join(dir, "record")
	recording, interrupt := context.WithCancel(ctx)
	began, says := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		code, _ := cli.Run([]string{"record", record}, cli.Env{Stdout: io.Discard, Stderr: says, Socket: live.SocketPath(dir), Context: recording})
		ended <- code
	}()
	if line, err := bufio.NewReader(began).ReadString('\n'); !strings.HasPrefix(line, "recording to ") {
		t.Fatalf("%q, %v", line, err)
	}
	go io.Copy(io.Discard, began)

	for _, name := range []string{"agent", "ask", "bash_allow", "title"} {
		lives(t, home, filepath.Join("..", "claude", "testdata", name+".jsonl"), settled)
	}
	for _, name := range []string{"agent", "ask", "plan", "parallel"} {
		calls(t, clis[0], filepath.Join("..", "claude", "testdata/hooks", name+".jsonl"), loop.Emit)
		settled()
	}
	want, texts := streamed(t, feed)
	interrupt()
	if code := <-ended; code != 0 {
		t.Errorf("record: exit status %d", code)
	}
	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, canary) {
			t.Errorf("recorded: %s", line)
		}
	}
	out, stderr, code := replays(t, string(text))
	if code != 0 || stderr != "" {
		t.Errorf("replay: exit status %d: %s", code, stderr)
	}
	for _, what := range []string{"title", "asks", "task"} {
		if !strings.Contains(texts[what], canary) {
			t.Errorf("no canary was seen as %s: %s", what, texts[what])
		}
	}
	later, _ := streamed(t, feed) // some of it the record may have
	got := transitions(out)
	if n := len(got) - len(want); len(want) < 10 || n < 0 || n > len(later) || !slices.Equal(got, append(want, later[:n]...)) {
		t.Errorf("the replay shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// lives does to the files of a home what was recorded, marked.
func lives(t *testing.T, home, recording string, settled func()) {
	text, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
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

// streamed are those that a reader has not seen yet, and the texts that came with them.
func streamed(t *testing.T, feed *live.Reader) (lines []string, texts map[string]string) {
	t.Helper()
	texts = map[string]string{}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for {
		news, err := feed.Next(over)
		if err != nil {
			return lines, texts
		}
		if news.Snapshot != nil {
			t.Fatal("the feed was left behind")
		}
		for _, c := range news.Changes {
			s := c.Session
			if s == nil {
				continue
			}
			texts["title"] += s.Title
			texts["asks"] += s.Asks
			for _, a := range s.Agents {
				texts["task"] += a.Task
			}
			if s.Status != c.From {
				lines = append(lines, fmt.Sprint(s.ID, " ", c.From, " -> ", s.Status, " ", s.Reason.Rule))
			}
		}
	}
}

// TestRecordsReplay plays random histories to a live loop: what its record replays to is
// what its stream told.
func TestRecordsReplay(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			ctx, cancel := context.WithCancel(t.Context())
			var parts sync.WaitGroup
			defer parts.Wait()
			defer cancel()
			loop := live.NewLoop(engine.New(engine.DefaultLimits()))
			parts.Go(func() { _ = loop.Run(ctx) })
			tap, err := loop.Tap(ctx)
			if err != nil {
				t.Fatal(err)
			}
			defer tap.Close()
			feed := loop.Feed.Read()
			defer feed.Close()
			if _, err := feed.Next(ctx); err != nil {
				t.Fatal(err)
			}
			var want, shown []string
			for range 60 {
				time.Sleep([]time.Duration{time.Millisecond, time.Second, time.Minute, time.Hour}[r.IntN(4)] * time.Duration(1+r.IntN(40)))
				var batch []engine.Event
				for range 1 + r.IntN(3) {
					batch = append(batch, anything(t, r))
				}
				loop.Emit(batch...)
				synctest.Wait()
				shown, _ = streamed(t, feed)
				want = append(want, shown...)
			}
			lines, err := tap.Next(ctx)
			if err != nil {
				t.Fatal(err)
			}
			var record strings.Builder
			for _, l := range lines {
				if err := json.NewEncoder(&record).Encode(l); err != nil {
					t.Fatal(err)
				}
			}
			out, stderr, code := replays(t, record.String())
			if got := transitions(out); code != 0 || !slices.Equal(got, want) {
				i := 0
				for i < min(len(got), len(want)) && got[i] == want[i] {
					i++
				}
				t.Errorf("seed %d: exit status %d, %s; from change %d on got %q, want %q", seed, code, stderr, i, got[i:], want[i:])
			}
		})
	}
}

// witnesses tell the facts that not everybody can.
var witnesses = map[string]string{
	"opened": "user", "seen": "user", "started": "listing", "listed": "listing", "roster": "listing", "answering": "listing",
	"slept": "clock",
	"alive": "process", "table": "process", "children": "process", "quiet": "process", "drew": "terminal", "titled": "terminal",
}

// anything is a fact of one of two sessions with all its fields filled at random.
func anything(t *testing.T, r *rand.Rand) engine.Event {
	verbs := engine.Vocabulary()
	v := verbs[r.IntN(len(verbs))]
	n := r.IntN(2)
	process := map[string]any{"tool": "tool", "pid": 41 + n, "ticks": 9, "dir": fmt.Sprint("/w/", n), "tty": fmt.Sprint("/dev/pts/", n)}
	who := map[string]any{"tool": "tool", "id": fmt.Sprint("id", n), "dir": fmt.Sprint("/w/", n)}
	by := cmp.Or(witnesses[v.Name], []string{"hook", "transcript"}[r.IntN(2)])
	if by == "process" || by == "listing" || by == "hook" {
		who["pid"], who["ticks"] = 41+n, 9
	}
	line := map[string]any{"at": time.Now().Add(-time.Duration(r.IntN(3)) * 700 * time.Millisecond), "by": by, "who": who, "fact": v.Name}
	for _, f := range v.Fields {
		words := strings.Split(f.Kind, "|")
		switch {
		case f.Kind == "true|false":
			line[f.Name] = r.IntN(2) == 0
		case len(words) > 1:
			line[f.Name] = words[r.IntN(len(words))]
		case f.Kind == "number":
			line[f.Name] = r.IntN(3)
		case f.Kind == "text":
			line[f.Name] = []string{"", "x", "y"}[r.IntN(3)]
		case f.Kind == "time":
			line[f.Name] = time.Now().Add(-time.Minute)
		case f.Kind == "list of who":
			line[f.Name] = []any{process}
		default:
			line[f.Name] = []any{map[string]any{"id": who["id"], "level": "busy"}}
		}
	}
	text, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	var l engine.Line
	if err := json.Unmarshal(text, &l); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return l.Event
}
