package claude

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
		all := clitest.Play(CLI, rec, 0)
		for _, from := range rec.Gaps() {
			moments++
			to := from + 900*time.Millisecond
			joined := clitest.Join(CLI, rec, from, to)
			want, got := at(all.Changes, to), at(joined.Changes, to)
			if !maps.Equal(want, got) {
				t.Errorf("%s from %v: %s\nwant %s", strings.TrimSuffix(filepath.Base(file), ".jsonl"), from, list(got), list(want))
			}
			for _, err := range joined.Bad {
				t.Errorf("%s from %v: %v", file, from, err)
			}
		}
	}
	if moments < 100 {
		t.Errorf("only %d moments", moments)
	}
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
