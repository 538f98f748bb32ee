package gemini

import (
	"strings"

	"deskbell/engine"
	"deskbell/sources"
)

// commands are the first words after which gemini is no session.
var commands = map[string]bool{"mcp": true, "extensions": true, "extension": true, "skills": true, "skill": true, "hooks": true, "hook": true, "gemma": true}

// alone are the flags with which it prints something and exits, or serves an editor.
var alone = map[string]bool{
	"-p": true, "--prompt": true, "-v": true, "--version": true, "-h": true, "--help": true, "-l": true, "--list-extensions": true,
	"--list-sessions": true, "--delete-session": true, "--acp": true, "--experimental-acp": true, "-o": true, "--output-format": true,
}

// script is where an npm package has its program.
const script = "/@google/gemini-cli/"

// runs tells whether p is Gemini CLI. It is loose when nobody can attend it. It starts
// itself once more, with more memory: what hooks name is the second of the two.
func runs(p sources.Proc) (engine.Who, bool) {
	args, ok := p.Words(tool, own)
	if !ok {
		return engine.Who{}, false
	}
	w := p.Who(tool, home(p.Env))
	for i, a := range args {
		flag, value := sources.FlagAt(args, i)
		switch {
		case a == "--":
			return w, true
		case alone[flag] || i == 0 && commands[a]:
			w.Loose = true
		case (flag == "--resume" || flag == "-r" || flag == "--session-id") && form.MatchString(value):
			w.ID = value
		}
	}
	return w, true
}

// own reports whether a script is the program.
func own(file string) bool {
	return sources.BaseName(file) == tool || strings.Contains(file, script) && strings.HasSuffix(file, ".js")
}
