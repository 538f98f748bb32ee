package claude

import (
	"testing"

	"deskbell/sources/clitest"
)

func TestRecordings(t *testing.T) { clitest.Cards(t, CLI) }
