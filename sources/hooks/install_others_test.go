package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOthers installs the hooks of the other CLIs into files as their users have them, and
// takes them out again: the first bytes are back.
func TestOthers(t *testing.T) {
	for _, tt := range []struct {
		tool, file string
		befores    []string
		has        []string // parts of what is there then; $ is the client
		events     int
	}{
		{"gemini", ".gemini/settings.json", []string{
			"", "{}", "{\n  \"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}},\n  // mine\n  \"hooks\": {\n    \"BeforeTool\": [{ \"matcher\": \"x\", \"hooks\": [{ \"type\": \"command\", \"command\": \"mine\" }] }]\n  }\n}\n",
			"{\r\n\t\"ui\": {\r\n\t\t\"theme\": \"x\"\r\n\t}\r\n}",
		}, []string{`"Notification"`, `"$ gemini"`, `"timeout": 5000`}, 7},
		{"copilot", ".copilot/hooks/deskbell.json", []string{
			"", "{\n  \"version\": 1,\n  \"hooks\": {\n    \"agentStop\": [{\"type\": \"command\", \"bash\": \"mine\"}]\n  }\n}\n",
		}, []string{`"version": 1`, `"$ copilot notification"`, `"timeoutSec": 5`}, 10},
		{"cursor", ".cursor/hooks.json", []string{
			"", "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [{\"command\": \"mine\"}]\n  }\n}\n", "{\"version\":1,\"hooks\":{}}",
		}, []string{`"version": 1`, `"beforeSubmitPrompt"`, `{"command": "$ cursor"}`}, 4},
	} {
		t.Run(tt.tool, func(t *testing.T) {
			d := newHouse(t, "home")
			path := filepath.Join(d.Home, filepath.FromSlash(tt.file))
			for _, before := range tt.befores {
				if before != "" {
					d.write(path, before, 0o600)
				}
				for _, density := range []string{"low", "medium"} {
					d.carryOut(tt.tool, density, true)
				}
				got := d.read(path)
				for _, part := range tt.has {
					if part = strings.ReplaceAll(part, "$", d.client()); !strings.Contains(squeezed(got), squeezed(part)) {
						t.Errorf("%s is not in\n%s", part, got)
					}
				}
				all, err := d.SettingsHooks(tt.tool, "")
				if err != nil || len(all) != 1 || !all[0].Healthy() || all[0].Density != Medium || len(all[0].Events) != tt.events {
					t.Errorf("got %+v, %v", all, err)
				}
				if text, again, err := d.Plan(tt.tool, "", true); again != nil || err != nil {
					t.Errorf("once more: %q, %v", text, err)
				}
				d.carryOut(tt.tool, "", false)
				if after, err := os.ReadFile(path); (before == "") != os.IsNotExist(err) || string(after) != before {
					t.Errorf("got %q, %v, want %q", after, err, before)
				}
			}
		})
	}
}

// carryOut plans a change and does it.
func (d *house) carryOut(tool, density string, install bool) {
	d.Helper()
	_, apply, err := d.Plan(tool, density, install)
	if err != nil || apply == nil {
		d.Fatalf("%s %s: nothing to do, %v", tool, density, err)
	}
	if _, err := apply(); err != nil {
		d.Fatal(err)
	}
}

// squeezed is JSON without blanks.
func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// TestHomeInside checks a CLI whose variable names the folder its home lies in.
func TestHomeInside(t *testing.T) {
	d := newHouse(t, "home")
	d.env["GEMINI_CLI_HOME"] = filepath.Join(d.Home, "elsewhere")
	d.carryOut("gemini", "low", true)
	if got := d.read(filepath.Join(d.Home, "elsewhere", ".gemini", "settings.json")); !strings.Contains(got, "BeforeAgent") {
		t.Errorf("got %s", got)
	}
}
