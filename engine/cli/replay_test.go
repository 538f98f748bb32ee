package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

// still is a world in which raw lines say that a session was started by that name.
type still struct{}

func (still) Ask(time.Time, engine.Question) {}
func (still) Next() time.Time                { return time.Time{} }
func (still) Looks() bool                    { return false }
func (still) Due(time.Time) []engine.Event   { return nil }
func (still) Take(now time.Time, line []byte) ([]engine.Event, error) {
	if bytes.Contains(line, []byte(`"cli"`)) {
		return nil, nil
	}
	if !bytes.Contains(line, []byte(`"hook"`)) {
		return nil, errors.New("no hook")
	}
	return []engine.Event{{At: now, By: engine.Hook, Who: engine.Who{Tool: "claude", ID: "raw"}, Fact: engine.Started{}}}, nil
}

// planned raises a notice for each approval, and withdraws it.
func planned(now time.Time, step engine.Step) (news []engine.Headline, next time.Time) {
	for _, c := range step.Changes {
		n := engine.Headline{At: now, Notice: "raise", IDs: []engine.ID{c.Session.ID}, Kind: "approval", Title: "app \x1b[1mneeds you"}
		if c.From == engine.Approval {
			n.Notice = "withdraw"
		}
		if (c.From == engine.Approval) != (c.Session.Status == engine.Approval) {
			news = append(news, n)
		}
	}
	return news, time.Time{}
}

func callReplay(stdin io.Reader, args ...string) outcome {
	var out, errs bytes.Buffer
	r := NewReplay(func() Replayed { return Replayed{World: still{}, Plan: planned} }, stdin)
	code, handled := Run(append([]string{"replay"}, args...), Env{Stdout: &out, Stderr: &errs, More: []any{r}})
	return outcome{code, handled, out.String(), errs.String()}
}

func TestReplay(t *testing.T) {
	file := filepath.Join("testdata", "replay.jsonl")
	for _, test := range []struct{ name, args string }{{"replay", file}, {"replay_json", "--json " + file}, {"help_replay", "--help"}} {
		got := callReplay(nil, strings.Fields(test.args)...)
		if got.code != ok || got.err != "" {
			t.Errorf("%s: got %+v", test.name, got)
		}
		golden(t, test.name, got.out)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	golden(t, "replay", callReplay(f, "-").out)
}

func TestFacts(t *testing.T) { golden(t, "facts", call(nil, nil, "rules", "--facts").out) }

// TestReplayGoesOn checks that bad lines are reported and the others replayed.
func TestReplayGoesOn(t *testing.T) {
	const started = `{"at":"2026-11-30T08:00:00Z","by":"hook","who":{"tool":"claude","id":"a","pid":1},"fact":"started"}`
	const alive = `{"at":"2026-11-30T08:00:00Z","by":"process","who":{"tool":"claude","pid":1},"fact":"alive","yes":true}`
	const is = "2026-11-30T08:00:00Z s1 unknown -> idle  idle (inferred, by hook) nothing speaks against it\n"
	for _, test := range []struct{ name, in, err string }{
		{"nothing bad", "", ""},
		{"an empty line", "\n \n", ""},
		{"a note", `{"at":"2026-11-30T08:00:00Z","note":"start"}`, ""},
		{"a later field", `{"at":"2026-11-30T08:00:00Z","by":"clock","moon":"full"}`, ""},
		{"no JSON", `x`, "no JSON object"},
		{"a number", `42`, "no JSON object"},
		{"half a line", `{"at":"2026-11-30T08:0`, "unexpected end of JSON input"},
		{"two objects", `{} {}`, "invalid character '{' after top-level value"},
		{"no time", `{"by":"hook","fact":"started"}`, `a line needs its time, "at": "2026-11-30T08:00:00Z"`},
		{"no time, raw", `{"raw":"hook"}`, `a line needs its time, "at": "2026-11-30T08:00:00Z"`},
		{"no witness", `{"at":"2026-11-30T08:00:00Z","fact":"started"}`, `a fact needs its witness, "by": "hook"`},
		{"an unknown witness", `{"at":"2026-11-30T08:00:00Z","by":"ghost","fact":"started"}`, `no witness is called "ghost"`},
		{"an unknown fact", `{"at":"2026-11-30T08:00:00Z","by":"hook","fact":"rang"}`, "no fact is called \"rang\": `deskbell rules --facts` lists them"},
		{"an unknown level", `{"at":"2026-11-30T08:00:00Z","by":"hook","fact":"listed","level":"up"}`, `no level is called "up"`},
		{"a raw one the world refuses", `{"at":"2026-11-30T08:00:00Z","raw":"smell"}`, "no hook"},
		{"colours", `{"at":"2026-11-30T08:00:00Z","by":"hook","fact":"` + `\u001b[31mred"}`, "no fact is called \"\\x1b[31mred\": `deskbell rules --facts` lists them"},
	} {
		got := callReplay(strings.NewReader(started+"\n"+test.in+"\n"+alive), "-")
		want := outcome{ok, true, is, ""}
		if test.err != "" {
			want = outcome{failed, true, is, "deskbell: standard input line 2: " + test.err + "\ndeskbell: one line made no sense\n"}
		}
		if got != want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", test.name, got, want)
		}
	}
	got := callReplay(strings.NewReader("x\n{}\n"+started+"\n"), "-")
	if want := "deskbell: 2 of 3 lines made no sense\n"; got.code != failed || !strings.HasSuffix(got.err, want) {
		t.Errorf("got %+v, want %q", got, want)
	}
}

func TestReplayWithoutFile(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ file, want string }{
		{filepath.Join(dir, "none"), "none"}, {dir, dir + " is a folder: name a file that `deskbell record` wrote"},
	} {
		if got := callReplay(nil, test.file); got.code != failed || !strings.Contains(got.err, test.want) || got.out != "" {
			t.Errorf("%s: got %+v", test.file, got)
		}
	}
}

// TestReplaySleeps checks that a stretch in which the machine slept is none: a turn
// that had just ended at its beginning has just ended at its end.
func TestReplaySleeps(t *testing.T) {
	const head = `{"at":"2026-11-30T22:00:00Z","by":"process","who":{"tool":"claude"},"fact":"table","runs":[{"tool":"claude","pid":1,"ticks":9}]}
{"at":"2026-11-30T22:00:01Z","by":"hook","who":{"tool":"claude","id":"a","pid":1,"ticks":9},"fact":"prompted","human":true}
{"at":"2026-11-30T22:00:01.5Z","by":"hook","who":{"tool":"claude","id":"a","pid":1,"ticks":9},"fact":"finished"}
`
	const late = `{"at":"2026-11-30T22:00:02Z","told":"2026-12-01T07:00:00Z","by":"clock"}` + "\n"
	const slept = `{"at":"2026-12-01T07:00:00Z","by":"clock","fact":"slept","since":"2026-11-30T22:00:02Z"}` + "\n"
	const morning = `{"at":"2026-12-01T07:00:01Z","by":"clock"}` + "\n"
	if got := callReplay(strings.NewReader(head+morning), "-"); !strings.Contains(got.out, "waiting -> idle") {
		t.Errorf("who was awake saw %s", got.out)
	}
	for _, night := range []string{slept, late + slept} {
		if got := callReplay(strings.NewReader(head+night+morning), "-"); strings.Contains(got.out, "waiting -> idle") || got.err != "" {
			t.Errorf("who slept saw %s%s", got.out, got.err)
		}
	}
	if got := callReplay(strings.NewReader(head+late+morning), "-"); !strings.Contains(got.out, "2026-12-01T07:00:00Z s1 waiting -> idle") {
		t.Errorf("who was late saw %s", got.out)
	}
}

// lengthy is a record of n lines that is made as it is read. half is called in its middle.
type lengthy struct {
	n, i int
	half func()
	rest []byte
}

func (l *lengthy) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if l.i == l.n {
			return 0, io.EOF
		}
		if l.i == l.n/2 {
			l.half()
		}
		at := noon.Add(time.Duration(l.i) * 700 * time.Millisecond).Format(time.RFC3339Nano)
		turn, call := l.i/40, l.i/2
		fact := [...]string{`"call_opened","name":"Bash","quiet":"slow"`, `"call_closed"`}[l.i%2]
		switch l.i % 40 {
		case 0:
			fact = `"prompted","human":true`
		case 38:
			fact = `"finished"`
		case 39:
			fact = `"alive","yes":true`
		}
		l.rest = fmt.Appendf(nil, `{"at":%q,"by":"hook","who":{"tool":"claude","id":"id%d","pid":%d},"fact":%s,"call":"c%d"}`+"\n",
			at, turn%20, turn%20+1, fact, call)
		l.i++
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// TestReplayIsFlat replays a long record, and one long line, in little memory.
func TestReplayIsFlat(t *testing.T) {
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var half, whole uint64
	in := &lengthy{n: 20_000, half: func() { half = heap() }}
	last := &lengthy{n: 2, half: func() { whole = heap() }}
	got := callReplay(io.MultiReader(in, last), "-")
	if got.code != ok || len(got.out) == 0 {
		t.Fatalf("got %.200q, exit status %d", got.err, got.code)
	}
	if grown := int64(whole) - int64(half) - int64(len(got.out)); grown > 4<<20 {
		t.Errorf("the heap grew by %d KB in the second half, from %d KB", grown>>10, half>>10)
	}
	if got := callReplay(strings.NewReader(strings.Repeat("x", longestLine+1)+"\n"), "-"); !strings.Contains(got.err, "line 1: longer than 64 MB") {
		t.Errorf("got %.200q", got.err)
	}
}
