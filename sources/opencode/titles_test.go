package opencode

import (
	"testing"

	"deskbell/engine"
)

// TestTitles checks that no title says anything: that of a session names it, in whatever
// words.
func TestTitles(t *testing.T) {
	for title, is := range map[string]bool{
		"OpenCode": true, "OC | hello there step 1. step 2. step 3. s…": true, "OC | Action Required": true, "": false, "bash": false, "◐ x": false,
	} {
		got, ok := CLI.Titled(title)
		if ok != is || got.Level != engine.Present && ok || got.Moves {
			t.Errorf("%q says %+v, %v", title, got, ok)
		}
	}
}
