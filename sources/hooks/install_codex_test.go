package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCodex installs the hooks of Codex, whose trust in a hook goes by its file and its
// place there: ours come behind those that are there, and each byte of these stays.
func TestCodex(t *testing.T) {
	d := newHouse(t, "home")
	path := filepath.Join(d.Home, ".codex", "hooks.json")
	for _, before := range []string{
		"", "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"mine\"}]}]}}",
		"{\r\n  \"hooks\": {\r\n    \"Stop\": [\r\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}\r\n    ]\r\n  }\r\n}\r\n",
	} {
		if before != "" {
			d.write(path, before, 0o600)
		}
		text, apply, err := d.Plan("codex", "", true)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, "Hooks need review") {
			t.Errorf("nothing is said of the screen that Codex shows:\n%s", text)
		}
		if _, err := apply(); err != nil {
			t.Fatal(err)
		}
		got := d.read(path)
		mine, ours := strings.Index(got, "mine"), strings.Index(got, d.client()+" codex")
		if before != "" && (mine < 0 || ours < mine) {
			t.Errorf("ours are not behind the user's:\n%s", got)
		}
		all, err := d.SettingsHooks("codex", "")
		if err != nil || len(all) != 1 || !all[0].Healthy() || all[0].Density != Medium || len(all[0].Events) != 12 {
			t.Errorf("got %+v, %v", all, err)
		}
		if text, again, err := d.Plan("codex", "", true); again != nil || err != nil || strings.Contains(text, "review") {
			t.Errorf("once more: %q, %v", text, err) // else the user has to trust them once more
		}
		_, apply, err = d.Plan("codex", "", false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := apply(); err != nil {
			t.Fatal(err)
		}
		if after, err := os.ReadFile(path); (before == "") != os.IsNotExist(err) || string(after) != before {
			t.Errorf("got %q, %v, want %q", after, err, before)
		}
	}
	if text, _, err := d.Plan("", "", true); err != nil || strings.Contains(text, ".codex") {
		t.Errorf("without being named: %v\n%s", err, text)
	}
}
