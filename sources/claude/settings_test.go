package claude

import (
	"io/fs"
	"strings"
	"testing"
)

func TestAnswers(t *testing.T) {
	const (
		user    = "/home/dev/.claude/settings.json"
		project = "/home/dev/proj/.claude/settings.json"
		local   = "/home/dev/proj/.claude/settings.local.json"
	)
	hooks := func(event, entry string) string {
		return `{"hooks":{"` + event + `":[{"matcher":"Bash","hooks":[` + entry + `]}]}}`
	}
	const (
		theirs = `{"type":"command","command":"/usr/local/bin/guard --strict"}`
		ours   = `{"type":"command","command":"\"/home/my user/.local/share/deskbell/bin/deskbell-hook\" claude PermissionRequest"}`
		plain  = `{"type":"command","command":"/home/dev/.local/share/deskbell/bin/deskbell-hook claude PermissionRequest"}`
	)
	for name, tc := range map[string]struct {
		files map[string]string
		want  bool
	}{
		"no settings":             {nil, false},
		"no hooks":                {map[string]string{user: `{"model":"opus"}`}, false},
		"a hook":                  {map[string]string{user: hooks("PermissionRequest", theirs)}, true},
		"a hook of another event": {map[string]string{user: hooks("PreToolUse", theirs)}, false},
		"of the project":          {map[string]string{project: hooks("PermissionRequest", theirs)}, true},
		"of yours in the project": {map[string]string{user: `{}`, local: hooks("PermissionRequest", theirs)}, true},
		"asynchronous":            {map[string]string{user: hooks("PermissionRequest", `{"type":"command","command":"x","async":true}`)}, false},
		"expressly synchronous":   {map[string]string{user: hooks("PermissionRequest", `{"type":"command","command":"x","async":false}`)}, true},
		"over http":               {map[string]string{user: hooks("PermissionRequest", `{"type":"http","url":"http://127.0.0.1:9/x"}`)}, true},
		"ours":                    {map[string]string{user: hooks("PermissionRequest", ours)}, false},
		"ours, not quoted":        {map[string]string{user: hooks("PermissionRequest", plain)}, false},
		"ours and theirs":         {map[string]string{user: hooks("PermissionRequest", ours+","+theirs)}, true},
		"ours here, theirs there": {map[string]string{user: hooks("PermissionRequest", ours), project: hooks("PermissionRequest", theirs)}, true},
		"all switched off":        {map[string]string{user: `{"disableAllHooks":true,"hooks":{"PermissionRequest":[{"hooks":[` + theirs + `]}]}}`}, false},
		"all off, one elsewhere":  {map[string]string{user: `{"disableAllHooks":true}`, project: hooks("PermissionRequest", theirs)}, false},
		"a broken file":           {map[string]string{user: `{"hooks":{"PermissionRequest":[{"hooks":[` + theirs}, false},
		"a broken file and a hook": {map[string]string{
			user: `{"hooks"`, project: hooks("PermissionRequest", theirs)}, true},
		"of another shape":     {map[string]string{user: `{"hooks":{"PermissionRequest":{"command":"x"}}}`}, false},
		"nothing in the group": {map[string]string{user: `{"hooks":{"PermissionRequest":[{"hooks":[]},{}]}}`}, false},
	} {
		read := func(file string) ([]byte, error) {
			if text, is := tc.files[file]; is {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		}
		if got := answers("/home/dev/.claude", "/home/dev/proj", read); got.Yes != tc.want || got.Checks {
			t.Errorf("%s: %+v, want %v", name, got, tc.want)
		}
		for file, text := range tc.files {
			tc.files[file] = strings.ReplaceAll(text, `"PermissionRequest":`, `"Stop":`)
		}
		if got := answers("/home/dev/.claude", "/home/dev/proj", read); got.Checks != tc.want || got.Yes {
			t.Errorf("%s, of Stop: %+v, want %v", name, got, tc.want)
		}
	}
}

// TestAnswersOutside checks that without a folder only the user's settings are read.
func TestAnswersOutside(t *testing.T) {
	var asked []string
	answers("/home/dev/.claude", "", func(file string) ([]byte, error) {
		asked = append(asked, file)
		return nil, fs.ErrNotExist
	})
	if len(asked) != 1 || asked[0] != "/home/dev/.claude/settings.json" {
		t.Errorf("read %q", asked)
	}
}
