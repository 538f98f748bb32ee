// Package all_test checks what the parts do together.
package all_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine/cli"
	"deskbell/notify"
	"deskbell/sources/all"
	"deskbell/sources/hooks"
	"deskbell/sources/process"
	"deskbell/sources/raw"
)

// replayed is what main hands to a replay.
func replayed() cli.Replayed {
	clis := all.CLIs()
	var paper notify.Paper
	return cli.Replayed{
		World: raw.New(raw.Options{CLIs: clis, Translate: hooks.Translate, RunsIn: process.RunsIn}),
		Plan:  paper.Apply,
	}
}

// printed is a line that replay prints with --json.
type printed struct {
	At       time.Time
	ID, Rule string
	From, To string
	Notice   string
	IDs      []string
	Kind     string
}

// replays runs `deskbell replay - --json` as it is built.
func replays(t *testing.T, record string) (out []printed, stderr string, code int) {
	t.Helper()
	var stdout, errs bytes.Buffer
	code, _ = cli.Run([]string{"replay", "-", "--json"}, cli.Env{
		Stdout: &stdout, Stderr: &errs, More: []any{cli.NewReplay(replayed, strings.NewReader(record))},
	})
	for line := range strings.Lines(stdout.String()) {
		var p printed
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		out = append(out, p)
	}
	return out, errs.String(), code
}

// How much earlier and later than its cause was seen in a recording a status may change,
// as the tests of the adapters have it.
const (
	rounding = time.Millisecond
	reaction = 400 * time.Millisecond
)

// TestReplaysRecordings replays every recording there is, and looks for the statuses and
// notices that are written down beside it.
func TestReplaysRecordings(t *testing.T) {
	files, err := filepath.Glob("../*/testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			record, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(strings.TrimSuffix(file, ".jsonl") + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			first, last := span(t, string(record))
			out, stderr, code := replays(t, fmt.Sprintf("%s\n{\"at\":%q,\"by\":\"clock\"}\n", record, last.Add(2*time.Second).Format(time.RFC3339Nano)))
			if code != 0 || stderr != "" {
				t.Errorf("exit status %d: %s", code, stderr)
			}
			want, got := written(t, string(text)), seen(out, first)
			if len(want) != len(got) {
				t.Fatalf("got %d cards, want %d: %v", len(got), len(want), got)
			}
			for i := range want {
				rung := false
				if !slices.EqualFunc(got[i], want[i], func(g, w stay) bool {
					missed := w.rings && !g.rings && !rung // later ones the planner may hold, and has its own tests for
					rung = rung || g.rings
					return g.status == w.status && g.at >= w.at-rounding && g.at <= w.at+reaction && !missed && (w.rings || !g.rings)
				}) {
					t.Errorf("card %d: got %v, want %v", i+1, got[i], want[i])
				}
			}
		})
	}
}

// TestReplaysRawForms tells by every raw form what one session does.
func TestReplaysRawForms(t *testing.T) {
	const id = "0c4e7b52-6a1d-4f38-9b0e-5d2f8a7c1e93"
	hook := func(second int, event, fields string) string {
		return fmt.Sprintf(`{"at":"2026-11-30T08:00:%02dZ","raw":"hook","tool":"claude","event":%q,"payload":{"session_id":%q,"hook_event_name":%q,"cwd":"/w/app"%s},"env":{"CLAUDE_CODE_ENTRYPOINT":"cli"},"pid":41,"ticks":991,"tty":"/dev/pts/1"}`+"\n",
			second, event, id, event, fields)
	}
	listed := func(second int, status string) string {
		return fmt.Sprintf(`{"at":"2026-11-30T08:00:%02dZ","raw":"file","tool":"claude","path":"/home/dev/.claude/sessions/41.json","text":"{\"pid\":41,\"sessionId\":\"%s\",\"cwd\":\"/w/app\",\"kind\":\"interactive\",\"entrypoint\":\"cli\",\"status\":\"%s\",\"statusUpdatedAt\":%d}"}`+"\n",
			second, id, status, time.Date(2026, 11, 30, 8, 0, second, 0, time.UTC).UnixMilli())
	}
	out, stderr, code := replays(t, `{"at":"2026-11-30T08:00:00Z","raw":"procs","list":[{"pid":41,"ppid":40,"ticks":991,"tty":"/dev/pts/1","dir":"/w/app","args":["claude"],"env":{}}]}`+"\n"+
		hook(1, "SessionStart", `,"source":"startup"`)+
		hook(2, "UserPromptSubmit", `,"prompt":"hi"`)+
		hook(3, "PreToolUse", `,"tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"toolu_1"`)+
		hook(4, "PermissionRequest", `,"tool_name":"Bash","tool_input":{"command":"ls"}`)+
		listed(6, "busy")+
		`{"at":"2026-11-30T08:00:07Z","raw":"line","tool":"claude","path":"/home/dev/.claude/projects/-w-app/`+id+`.jsonl","line":"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"[Request interrupted by user]\"}]},\"timestamp\":\"2026-11-30T08:00:06.9Z\",\"sessionId\":\"`+id+`\",\"cwd\":\"/w/app\",\"entrypoint\":\"cli\"}"}`+"\n"+
		listed(8, "idle")+
		`{"at":"2026-11-30T08:00:09Z","raw":"title","term":"/dev/pts/1","text":"✳ app"}`+"\n"+
		`{"at":"2026-11-30T08:00:30Z","raw":"procs","list":[]}`+"\n")
	var got []string
	for _, p := range out {
		if p.Notice == "" {
			got = append(got, fmt.Sprint(p.At.Second(), " ", p.To, " ", p.Rule))
		} else {
			got = append(got, fmt.Sprint(p.At.Second(), " ", p.Notice, " ", p.Kind))
		}
	}
	want := []string{
		"0 idle idle", "2 prompting turn.prompted", "3 working call.running", "4 approval dialog.permission", "4 raise approval",
		"6 working call.running", "6 withdraw approval", "8 waiting turn.interrupted", "30 ended life.exited",
	}
	if code != 0 || stderr != "" || !slices.Equal(got, want) {
		t.Errorf("exit status %d: %s\ngot  %q\nwant %q", code, stderr, got, want)
	}
}

// stay is since when a card is in a status, and whether that rang.
type stay struct {
	at     time.Duration
	status string
	rings  bool
}

// span is when a recording begins and ends.
func span(t *testing.T, record string) (first, last time.Time) {
	for line := range strings.Lines(record) {
		var l struct{ At time.Time }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if last = l.At; first.IsZero() {
			first = l.At
		}
	}
	return first, last
}

// written are the stays that are written down for a recording, card by card. That a card
// is gone is no change of a status.
func written(t *testing.T, text string) (cards [][]stay) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "end":
		case words[0] == "card":
			cards = append(cards, nil)
		case words[1] != "gone":
			at, err := time.ParseDuration(words[0] + "s")
			if err != nil {
				t.Fatal(err)
			}
			c := &cards[len(cards)-1]
			status, rings := strings.CutSuffix(words[1], "!")
			*c = append(*c, stay{at, status, rings})
		}
	}
	return cards
}

// seen are the stays that were printed, card by card.
func seen(out []printed, first time.Time) (cards [][]stay) {
	byID := map[string][]stay{}
	for _, p := range out {
		if p.Notice == "" {
			byID[p.ID] = append(byID[p.ID], stay{p.At.Sub(first), p.To, false})
		}
		for _, id := range p.IDs {
			if p.Notice == "raise" {
				byID[id][len(byID[id])-1].rings = true
			}
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(byID), func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) }) {
		cards = append(cards, byID[id])
	}
	return cards
}
