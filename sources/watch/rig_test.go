package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// toy is a CLI whose listings are {"id":…,"status":…} and whose log lines are
// "<id> <text>"; "open X", "close X" are calls, "in X" is the folder it works in.
func toy() sources.CLI {
	line := func(rel string, line []byte) ([]engine.Event, error) {
		id, text, ok := strings.Cut(string(line), " ")
		if !ok {
			return nil, errors.New("no text")
		}
		ev := engine.Event{By: engine.Transcript, Who: engine.Who{Tool: "toy", ID: id}, Fact: engine.Described{Title: text}}
		if call, ok := strings.CutPrefix(text, "open "); ok {
			ev.Fact = engine.CallOpened{Call: call}
		} else if call, ok := strings.CutPrefix(text, "close "); ok {
			ev.Fact = engine.CallClosed{Call: call}
		}
		if dir, ok := strings.CutPrefix(text, "in "); ok {
			ev.Who.Dir = dir
		}
		return []engine.Event{ev}, nil
	}
	return sources.CLI{Name: "toy", Title: "Toy", Files: []sources.Tree{
		{Glob: "sessions/*.json", Whole: true, Read: listing},
		{Glob: "sessions/*.key", Read: starting},
		{Glob: "projects/*/*.jsonl", Record: line, Find: func(w engine.Who) []string {
			return []string{"projects/*/" + w.ID + ".jsonl"}
		}},
		{Glob: "projects/*/*/subagents/agent-*.jsonl", Record: line, Find: func(w engine.Who) []string {
			return []string{"projects/*/" + w.ID + "/subagents/agent-*.jsonl"}
		}},
	}}
}

func listing(f sources.File) ([]engine.Event, error) {
	id := strings.TrimSuffix(filepath.Base(f.Rel), ".json")
	ev := engine.Event{By: engine.Listing, Who: engine.Who{Tool: "toy", ID: id}}
	if f.Text == nil {
		ev.Fact = engine.Listed{Level: engine.Unlisted}
		return []engine.Event{ev}, nil
	}
	var v struct {
		Level engine.Level
		Dir   string
	}
	if err := json.Unmarshal(f.Text, &v); err != nil {
		return nil, err
	}
	ev.Fact, ev.Who.Dir = engine.Listed{Level: v.Level}, v.Dir
	return []engine.Event{ev}, nil
}

func starting(f sources.File) ([]engine.Event, error) {
	if f.Text == nil {
		return nil, nil
	}
	if len(f.Text) > 0 {
		return nil, errors.New("the key was read")
	}
	return []engine.Event{{By: engine.Listing, Who: engine.Who{Tool: "toy", ID: f.Rel}, Fact: engine.Listed{Level: engine.ListedStarting}}}, nil
}

// rig is a running Source over a home in a temporary folder.
type rig struct {
	*Source
	t       testing.TB
	home    string
	batches chan []engine.Event
	said    chan string
}

func start(t testing.TB, home string, change ...func(*Options)) *rig {
	t.Helper()
	r := &rig{t: t, home: home, batches: make(chan []engine.Event, 1000), said: make(chan string, 100)}
	o := Options{
		CLIs:     []sources.CLI{toy()},
		Homes:    func(sources.CLI) []string { return []string{home} },
		Say:      func(text string) { r.said <- text },
		Coalesce: 20 * time.Millisecond,
	}
	for _, f := range change {
		f(&o)
	}
	r.Source = New(o)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := r.Run(ctx, func(evs ...engine.Event) { r.batches <- evs }); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { cancel(); wg.Wait() })
	return r
}

// started waits until the survey at the start is over.
func (r *rig) started() *rig {
	r.t.Helper()
	r.do(func() {})
	return r
}

// do runs f on the goroutine of the source.
func (r *rig) do(f func()) {
	r.t.Helper()
	done := make(chan struct{})
	r.inbox.Put(func() { f(); close(done) })
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		r.t.Fatal("the source hangs")
	}
}

// next returns the next batch as text.
func (r *rig) next() string {
	r.t.Helper()
	select {
	case evs := <-r.batches:
		return told(evs)
	case <-time.After(10 * time.Second):
		r.t.Fatal("nothing was told")
	}
	return ""
}

func (r *rig) expect(want string) {
	r.t.Helper()
	if got := r.next(); got != want {
		r.t.Fatalf("got %q, want %q", got, want)
	}
}

// collect waits until n events have come, in however many batches.
func (r *rig) collect(n int) (out []engine.Event) {
	r.t.Helper()
	deadline := time.After(20 * time.Second)
	for len(out) < n {
		select {
		case evs := <-r.batches:
			out = append(out, evs...)
		case <-deadline:
			r.t.Fatalf("got %d events, want %d", len(out), n)
		}
	}
	return out
}

// silent checks that what was done so far says nothing.
func (r *rig) silent() {
	r.t.Helper()
	r.write("sessions/marker.json", fmt.Sprintf(`{"Level":"idle","n":%d}`, time.Now().UnixNano()))
	if got := r.next(); got != "marker idle" {
		r.t.Fatalf("got %q, want silence", got)
	}
	os.Remove(r.path("sessions/marker.json"))
	r.expect("marker unlisted")
}

// ask is the question what the record of toy session id says.
func ask(id string) engine.Question {
	return engine.Question{Ask: engine.AskRecord, Who: engine.Who{Tool: "toy", ID: id}}
}

func told(evs []engine.Event) string {
	var out []string
	for _, ev := range evs {
		text := fmt.Sprintf("%T", ev.Fact)
		switch f := ev.Fact.(type) {
		case engine.Described:
			text = f.Title
		case engine.Listed:
			text = f.Level.String()
		case engine.CallOpened:
			text = "open " + f.Call
		case engine.CallClosed:
			text = "close " + f.Call
		case engine.Answering:
			text = fmt.Sprint("answering ", f.Yes)
		}
		out = append(out, ev.Who.ID+" "+text)
	}
	return strings.Join(out, ", ")
}

func (r *rig) path(rel string) string { return filepath.Join(r.home, filepath.FromSlash(rel)) }

func (r *rig) write(rel, text string) { put(r.t, r.path(rel), text) }

func (r *rig) add(rel, text string) { grow(r.t, r.path(rel), text) }

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func grow(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// old makes a path look as if it was last changed days ago.
func old(t testing.TB, days int, paths ...string) {
	t.Helper()
	at := time.Now().AddDate(0, 0, -days)
	for _, path := range paths {
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
}
