package hooks

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/tailscale/hujson"
)

// meaning returns what a file says, members that are empty left out: independent of
// the code under test.
func meaning(t testing.TB, text []byte) string {
	t.Helper()
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if len(bytes.TrimSpace(text)) == 0 {
		return "{}"
	}
	plain, err := hujson.Standardize(append(bytes.Clone(text), '\n'))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	d := json.NewDecoder(bytes.NewReader(plain))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	out, err := json.Marshal(pruned(v))
	if err != nil {
		t.Fatal(err)
	}
	if string(out) == "null" {
		return "{}"
	}
	return string(out)
}

// pruned returns v without the hooks and events that are empty.
func pruned(v any) any {
	root, ok := v.(map[string]any)
	if !ok {
		return v
	}
	if hooks, ok := root["hooks"].(map[string]any); ok {
		for event, groups := range hooks {
			if list, ok := groups.([]any); ok && len(list) == 0 {
				delete(hooks, event)
			}
		}
		if len(hooks) == 0 {
			delete(root, "hooks")
		}
	}
	return root
}
