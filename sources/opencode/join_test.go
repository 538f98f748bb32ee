package opencode

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
	if moments < 30 {
		t.Errorf("only %d moments", moments)
	}
}

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
		want := turns(clitest.Play(CLI, rec, time.Minute).Changes)
		for _, at := range rec.Gaps() {
			if got := turns(clitest.Retold(CLI, rec, at, time.Minute).Changes); !slices.Equal(got, want) {
				t.Errorf("%s, told again at %v:\n%s\nwant\n%s", filepath.Base(file), at, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// turns are the statuses of cards, counted from 1 as they appear, from their first turn on:
// whoever looks at the processes sees an opened terminal sooner.
func turns(changes []clitest.Change) (out []string) {
	cards, now := map[engine.ID]int{}, map[engine.ID]engine.Status{}
	for _, c := range changes {
		id, status := c.Session.ID, c.Session.Status
		was := now[id]
		now[id] = status
		if was == status && !c.Gone || status == engine.Idle && (was == engine.Unknown || was == engine.Ended) {
			continue
		}
		if cards[id] == 0 {
			cards[id] = len(cards) + 1
		}
		out = append(out, fmt.Sprint("card ", cards[id], " ", status, " ", c.Session.Trouble, " gone ", c.Gone))
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
