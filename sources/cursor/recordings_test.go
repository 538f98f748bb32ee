package cursor

import (
	"testing"

	"deskbell/sources/clitest"
)

func TestRecordings(t *testing.T) { clitest.Cards(t, CLI) }

func TestConforms(t *testing.T) { clitest.Conforms(t, CLI) }
