package codex

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources/clitest"
)

// TestJoin starts in every quiet moment of every recording, and looks whether what is
// seen a little later is what is seen by who was there from the beginning: no status
// depends on how long we have been looking (C21, C52).
func TestJoin(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	moments := 0
	for _, file := range files {
		rec, err := clitest.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(rec.Scenario, "-") {
			continue // what hooks and titles told before is told to nobody
		}
		if rec.Scenario == "killtui" {
			continue // whoever begins after its terminal has gone looks for nothing
		}
		all := clitest.Play(CLI, rec, 0)
		for _, from := range rec.Gaps() {
			moments++
			to := from + 900*time.Millisecond
			joined := clitest.Join(CLI, rec, from, to)
			want, got := at(all.Changes, to), at(joined.Changes, to)
			maps.DeleteFunc(got, func(pid, _ string) bool { return want[pid] == "" }) // an opened TUI is seen by who begins to look
			if !maps.Equal(want, got) {
				t.Errorf("%s from %v: %s\nwant %s", strings.TrimSuffix(filepath.Base(file), ".jsonl"), from, list(got), list(want))
			}
			for _, err := range joined.Bad {
				t.Errorf("%s from %v: %v", file, from, err)
			}
		}
	}
	if moments < 50 {
		t.Errorf("only %d moments", moments)
	}
}

// opened are the recordings in which a TUI is opened.
var opened = map[string]bool{"agent": true, "nodaemon": true, "resume": true, "second": true, "turn": true, "v0098": true, "v0128": true}

// TestRetold tells everything again in every quiet moment of every recording, as a record
// does that begins then: no status may change by that, then or later.
func TestRetold(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		rec, err := clitest.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if opened[strings.Split(rec.Scenario, "-")[0]] {
			continue // whoever looks at the processes meanwhile sees the TUI sooner
		}
		want := turns(clitest.Play(CLI, rec, time.Minute).Changes)
		for _, at := range rec.Gaps() {
			if got := turns(clitest.Retold(CLI, rec, at, time.Minute).Changes); !slices.Equal(got, want) {
				t.Errorf("%s, told again at %v:\n%s\nwant\n%s", filepath.Base(file), at, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// turns are the changes of statuses, of cards counted from 1 as they appear.
func turns(changes []clitest.Change) (out []string) {
	cards := map[engine.ID]int{}
	for _, c := range changes {
		if cards[c.Session.ID] == 0 {
			cards[c.Session.ID] = len(cards) + 1
		}
		if c.Gone || c.From != c.Session.Status {
			out = append(out, fmt.Sprint(c.At, " card ", cards[c.Session.ID], " ", c.From, " -> ", c.Session.Status, " ", c.Session.Reason.Rule, " gone ", c.Gone))
		}
	}
	return out
}

// at is what live cards there are at a time: their status, and what is asked, by process.
func at(changes []clitest.Change, to time.Duration) map[string]string {
	now := map[engine.ID]engine.Session{}
	for _, c := range changes {
		if c.At > to {
			break
		}
		if now[c.Session.ID] = c.Session; c.Gone || !c.Session.Status.Live() {
			delete(now, c.Session.ID)
		}
	}
	out := map[string]string{}
	for _, s := range now {
		if s.Status == engine.Waiting && s.Trouble == engine.Interrupted {
			s.Status, s.Trouble = engine.Idle, "" // before the first word, no trace is left of it
		}
		out[fmt.Sprint(s.PID)] = fmt.Sprint(s.Status, " ", s.SessionID, " ", s.Title, " ", s.Asks, " ", s.Trouble, " shells ", s.Shells)
	}
	return out
}

func list(m map[string]string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, k+" "+m[k])
	}
	return strings.Join(out, ", ")
}
