package all_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"deskbell/engine"
	"deskbell/engine/live"
)

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
			var want []string
			for range 60 {
				time.Sleep([]time.Duration{time.Millisecond, time.Second, time.Minute, time.Hour}[r.IntN(4)] * time.Duration(1+r.IntN(40)))
				var batch []engine.Event
				for range 1 + r.IntN(3) {
					batch = append(batch, anything(t, r))
				}
				loop.Emit(batch...)
				synctest.Wait()
				want = append(want, streamed(t, feed)...)
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
	"opened": "user", "seen": "user", "wished": "user", "coloured": "user", "checkout": "process", "started": "listing", "listed": "listing", "roster": "listing", "answering": "listing",
	"slept": "clock",
	"alive": "process", "table": "process", "children": "process", "quiet": "process", "drew": "terminal", "titled": "terminal",
}

// anything is a fact of one of two sessions with all its fields filled at random.
func anything(t *testing.T, r *rand.Rand) engine.Event {
	verbs := slices.DeleteFunc(engine.Vocabulary(), func(v engine.Verb) bool { return v.Name == "hushed" }) // told by no change
	v := verbs[r.IntN(len(verbs))]
	n := r.IntN(2)
	process := map[string]any{"tool": "tool", "pid": 41 + n, "ticks": 9, "dir": fmt.Sprint("/w/", n), "tty": fmt.Sprint("/dev/pts/", n)}
	who := map[string]any{"tool": "tool", "id": fmt.Sprint("id", n), "dir": fmt.Sprint("/w/", n)}
	by := cmp.Or(witnesses[v.Name], []string{"hook", "transcript"}[r.IntN(2)])
	if by == "process" || by == "listing" || by == "hook" {
		who["pid"], who["ticks"] = 41+n, 9
	}
	if v.Name == "wished" {
		who = map[string]any{"card": fmt.Sprint("s", 1+n)}
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
