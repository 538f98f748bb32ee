package claude

import (
	"testing"

	"deskbell/sources/clitest"
)

func TestConforms(t *testing.T) { clitest.Conforms(t, CLI) }
