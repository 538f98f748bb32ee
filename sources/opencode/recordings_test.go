package opencode

import (
	"testing"

	"deskbell/sources/clitest"
)

func TestRecordings(t *testing.T) { clitest.Recordings(t, CLI) }
