package copilot

import (
	"path/filepath"
	"strings"

	"deskbell/engine"
	"deskbell/sources"
)

// alone are the flags with which copilot prints something and exits, or serves an editor.
var alone = map[string]bool{
	"-p": true, "--prompt": true, "-v": true, "--version": true, "-h": true, "--help": true, "--acp": true, "--server": true, "--headless": true,
}

// script is the program of the versions that were one script.
const script = "/@github/copilot/index.js"

// runs tells whether p is Copilot CLI. It is loose when nobody can attend it. The kernel
// calls it MainThread; npm's program is none, what it starts is (1.0.102). A first word that is no flag is a command, and no session (that of
// another program of this name, too).
func runs(p sources.Proc) (engine.Who, bool) {
	args, ok := arguments(p)
	if !ok {
		return engine.Who{}, false
	}
	w := engine.Who{Tool: tool, PID: p.PID, Ticks: p.Ticks, Parent: p.Parent, Dir: p.Dir, TTY: p.TTY, Home: p.Env[homeEnv]}
	w.Loose = p.TTY == "" || len(args) > 0 && !strings.HasPrefix(args[0], "-")
	for i, a := range args {
		flag, value, inside := strings.Cut(a, "=")
		switch {
		case alone[flag]:
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

// arguments are those of copilot itself, whatever runs it.
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
			return p.Args[i+2:], strings.HasSuffix(file, script)
		}
	}
	return nil, false
}

func base(file string) string {
	file = strings.TrimSuffix(filepath.ToSlash(file), " (deleted)") // replaced by an update while it runs
	return strings.TrimSuffix(file[strings.LastIndexByte(file, '/')+1:], ".exe")
}
