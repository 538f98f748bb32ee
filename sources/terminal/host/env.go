package host

import (
	"slices"
	"strings"

	"deskbell/sources"
)

// markers are what an agent leaves in the environment of what it starts (facts of Claude
// Code 2.1.332). A session that inherits them takes itself for a part of another one: it
// writes no transcript, and reports as that one.
var markers = []string{
	"CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_EXECPATH",
	"CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_PARENT_SESSION_ID", "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_PID",
	"CLAUDE_PROJECT_DIR", "CLAUDE_EFFORT", "CLAUDE_ENV_FILE", "CLAUDE_JOB_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA",
	"AI_AGENT",
}

// Environ is an environment without what agents left in it, and with the name of a
// terminal; "": with none. All else is kept as it is.
func Environ(env []string, id string) []string {
	out := slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name == sources.TermEnv || slices.Contains(markers, name)
	})
	if id != "" {
		out = append(out, sources.TermEnv+"="+id)
	}
	return out
}
