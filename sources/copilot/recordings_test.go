package copilot

import (
	"strings"
	"testing"

	"deskbell/sources/clitest"
)

func TestRecordings(t *testing.T) { clitest.Cards(t, CLI) }

func TestConforms(t *testing.T) { clitest.Conforms(t, CLI) }

// files are the recordings in which files and processes tell all there is.
func files(scenario string) bool { return !strings.Contains(scenario, "-") }

func TestJoin(t *testing.T) {
	if n := clitest.Joins(t, CLI, true, files); n < 15 {
		t.Errorf("only %d moments", n)
	}
}

func TestTellsAgain(t *testing.T) {
	clitest.TellsAgain(t, CLI, func(scenario string) bool {
		return files(scenario) && scenario != "resume" // whoever looks at the processes meanwhile sees it sooner
	})
}
