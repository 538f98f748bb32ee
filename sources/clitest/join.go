package clitest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// Joins starts in every quiet moment of every recording that is wanted, and looks whether
// what is seen a little later is what is seen by who was there from the beginning: no
// status depends on how long we have been looking (C21, C52). It returns how many moments
// there were. What hooks and titles told before is told to nobody. Early tells of a CLI
// that shows itself by its process alone before it has said a word: who begins to look
// sees that sooner.
func Joins(t *testing.T, cli sources.CLI, early bool, wanted func(scenario string) bool) (moments int) {
	for _, rec := range All(t) {
		if !wanted(rec.Scenario) {
			continue
		}
		all := Play(cli, rec, 0)
		for _, from := range rec.Gaps() {
			moments++
			to := from + 900*time.Millisecond
			joined := Join(cli, rec, from, to)
			want, got := alive(all.Changes, to), alive(joined.Changes, to)
			maps.DeleteFunc(got, func(pid, _ string) bool { return early && want[pid] == "" })
			if !maps.Equal(want, got) {
				t.Errorf("%s from %v: %v\nwant %v", rec.Scenario, from, got, want)
			}
			for _, err := range joined.Bad {
				t.Errorf("%s from %v: %v", rec.Scenario, from, err)
			}
		}
	}
	return moments
}

// TellsAgain tells everything again in every quiet moment of every recording that is wanted,
// as a record does that begins then: no status may change by that, then or later.
func TellsAgain(t *testing.T, cli sources.CLI, wanted func(scenario string) bool) {
	for _, rec := range All(t) {
		if !wanted(rec.Scenario) {
			continue
		}
		want := statuses(Play(cli, rec, time.Minute).Changes)
		for _, at := range rec.Gaps() {
			if got := statuses(Retold(cli, rec, at, time.Minute).Changes); !slices.Equal(got, want) {
				t.Errorf("%s, told again at %v:\n%s\nwant\n%s", rec.Scenario, at, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// statuses are the changes of statuses, of cards counted from 1 as they appear.
func statuses(changes []Change) (out []string) {
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

// alive is what live cards there are at a time: their status, and what is asked, by process.
func alive(changes []Change, to time.Duration) map[string]string {
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
