package claude

import (
	"encoding/json"
	"path"
	"path/filepath"
	"strings"

	"deskbell/engine"
)

// settings is the part of a settings file that is read.
type settings struct {
	Off   bool `json:"disableAllHooks"`
	Hooks map[string][]struct {
		Hooks []struct {
			Command string `json:"command"`
			Async   bool   `json:"async"`
		} `json:"hooks"`
	} `json:"hooks"`
}

// ours is the name under which our own hook is installed.
const ours = "deskbell-hook"

// answers tells whether somebody's synchronous PermissionRequest hook may answer
// for the user: it does so within seconds, and nothing must ring until then; and
// whether a Stop hook is at work at the end of each turn (facts/claude.md section 11).
func answers(home, dir string, read func(path string) ([]byte, error)) (found engine.Answering) {
	files := []string{filepath.Join(home, "settings.json")}
	if dir != "" {
		files = append(files, filepath.Join(dir, ".claude", "settings.json"), filepath.Join(dir, ".claude", "settings.local.json"))
	}
	for _, file := range files {
		text, err := read(file)
		if err != nil {
			continue // most of them do not exist
		}
		var s settings
		if json.Unmarshal(text, &s) != nil {
			continue // the CLI does not read it either
		}
		if s.Off {
			return engine.Answering{}
		}
		found.Yes = found.Yes || s.theirs("PermissionRequest")
		found.Checks = found.Checks || s.theirs("Stop")
	}
	return found
}

// theirs reports whether somebody else's synchronous hook is called at event.
func (s *settings) theirs(event string) bool {
	for _, group := range s.Hooks[event] {
		for _, h := range group.Hooks {
			if !h.Async && !strings.Contains(path.Base(filepath.ToSlash(h.Command)), ours) {
				return true
			}
		}
	}
	return false
}
