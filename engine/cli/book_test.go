package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deskbell/engine"
)

// TestReadmeSaysTheRules checks that the README has the rule book as it is.
func TestReadmeSaysTheRules(t *testing.T) {
	const begin, end = "<!-- the rules, from engine/rules.go -->\n", "<!-- end of the rules -->"
	path := filepath.Join("..", "..", "README.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	got, after, ends := strings.Cut(rest, end)
	if !ok || !ends {
		t.Fatalf("README.md has no place for the rules between %q and %q", begin, end)
	}
	want := statusTable(engine.Rules(), engine.DefaultLimits())
	if *update {
		if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("README.md does not say the rules as they are: go test ./engine/cli -update\ngot\n%s\nwant\n%s", got, want)
	}
	said := map[engine.Status]bool{engine.Unknown: true} // that one is never shown
	for _, s := range statuses {
		said[s] = true
	}
	for _, r := range engine.Rules() {
		if !said[r.Says] {
			t.Errorf("%s says %v, which is in no row of the README", r.Name, r.Says)
		}
	}
}
