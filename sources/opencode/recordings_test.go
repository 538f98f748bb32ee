package opencode

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources/clitest"
)

func TestRecordings(t *testing.T) { clitest.Cards(t, CLI) }

func TestConforms(t *testing.T) { clitest.Conforms(t, CLI) }

func TestJoin(t *testing.T) {
	bare := func(scenario string) bool { return !strings.Contains(scenario, "-") }
	if n := clitest.Joins(t, CLI, true, bare); n < 30 {
		t.Errorf("only %d moments", n)
	}
}

// TestTellsAgain is [clitest.TellsAgain] from the first turn of a card on: whoever looks at
// the processes meanwhile sees an opened terminal sooner.
func TestTellsAgain(t *testing.T) {
	for _, rec := range clitest.All(t) {
		want := turns(clitest.Play(CLI, rec, time.Minute).Changes)
		for _, at := range rec.Gaps() {
			if got := turns(clitest.Retold(CLI, rec, at, time.Minute).Changes); !slices.Equal(got, want) {
				t.Errorf("%s, told again at %v:\n%s\nwant\n%s", rec.Scenario, at, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// turns are the statuses of cards, counted from 1 as they appear, without the rest between
// the opening of a terminal and the first turn in it.
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
