package claude

import (
	"testing"

	"deskbell/engine"
)

// TestTitles reads titles of 2.1.332 (facts/claude.md section 7).
func TestTitles(t *testing.T) {
	for _, c := range []struct {
		title string
		want  engine.Titled
		ok    bool
	}{
		{"◐ Fix the login", engine.Titled{Form: "◐", Level: engine.ListedBusy, Moves: true}, true},
		{"◑ Claude Code", engine.Titled{Form: "◑", Level: engine.ListedBusy, Moves: true}, true},
		{"✳ Claude Code", engine.Titled{Form: "✳", Level: engine.Present}, true},
		{"vim ◐", engine.Titled{}, false},
		{"", engine.Titled{}, false},
	} {
		if got, ok := CLI.Titled(c.title); got != c.want || ok != c.ok {
			t.Errorf("%q: got %+v %v, want %+v %v", c.title, got, ok, c.want, c.ok)
		}
	}
}
