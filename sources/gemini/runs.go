package gemini

import (
	"path/filepath"
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
	args, ok := arguments(p)
	if !ok {
		return engine.Who{}, false
	}
	w := engine.Who{Tool: tool, PID: p.PID, Ticks: p.Ticks, Parent: p.Parent, Dir: p.Dir, TTY: p.TTY, Home: home(p.Env)}
	w.Loose = p.TTY == ""
	for i, a := range args {
		flag, value, inside := strings.Cut(a, "=")
		switch {
		case a == "--":
			return w, true
		case alone[flag] || i == 0 && commands[a]:
			w.Loose = true
		case flag == "--resume" || flag == "-r" || flag == "--session-id":
			if !inside && i+1 < len(args) {
				value = args[i+1]
			}
			if form.MatchString(value) {
				w.ID = value
			}
		}
	}
	return w, true
}

// arguments are those of gemini itself, whatever runs it.
func arguments(p sources.Proc) ([]string, bool) {
	if len(p.Args) == 0 {
		return nil, false
	}
	switch base(p.Args[0]) {
	case tool:
		return p.Args[1:], true
	case "node", "bun":
		for i, a := range p.Args[1:] {
			if strings.HasPrefix(a, "-") {
				continue
			}
			file := filepath.ToSlash(a)
			return p.Args[i+2:], base(file) == tool || strings.Contains(file, script) && strings.HasSuffix(file, ".js")
		}
	}
	return nil, false
}

func base(file string) string {
	file = strings.TrimSuffix(filepath.ToSlash(file), " (deleted)") // replaced by an update while it runs
	return strings.TrimSuffix(file[strings.LastIndexByte(file, '/')+1:], ".exe")
}
