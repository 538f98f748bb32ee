package claude

import (
	"testing"

	"deskbell/sources/clitest"
)

func all(string) bool { return true }

func TestJoin(t *testing.T) {
	if n := clitest.Joins(t, CLI, false, all); n < 100 {
		t.Errorf("only %d moments", n)
	}
}

func TestTellsAgain(t *testing.T) { clitest.TellsAgain(t, CLI, all) }
