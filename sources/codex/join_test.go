package codex

import (
	"strings"
	"testing"

	"deskbell/sources/clitest"
)

func TestJoin(t *testing.T) {
	n := clitest.Joins(t, CLI, true, func(scenario string) bool {
		// What hooks and titles told before is told to nobody, and whoever begins after its
		// terminal has gone looks for nothing.
		return !strings.Contains(scenario, "-") && scenario != "killtui"
	})
	if n < 50 {
		t.Errorf("only %d moments", n)
	}
}

// opened are the recordings in which a TUI is opened: whoever looks at the processes
// meanwhile sees it sooner.
var opened = map[string]bool{"agent": true, "nodaemon": true, "resume": true, "second": true, "turn": true, "v0098": true, "v0128": true}

func TestTellsAgain(t *testing.T) {
	clitest.TellsAgain(t, CLI, func(scenario string) bool { return !opened[strings.Split(scenario, "-")[0]] })
}
