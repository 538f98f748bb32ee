package copilot

import (
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
// calls it MainThread; npm's program is none, what it starts is (1.0.102). A first word
// that is no flag is a command, and no session (that of another program of this name, too).
func runs(p sources.Proc) (engine.Who, bool) {
	args, ok := p.Words(tool, func(file string) bool { return strings.HasSuffix(file, script) })
	if !ok {
		return engine.Who{}, false
	}
	w := p.Who(tool, p.Env[homeEnv])
	w.Loose = w.Loose || len(args) > 0 && !strings.HasPrefix(args[0], "-")
	for i := range args {
		flag, value := sources.FlagAt(args, i)
		switch {
		case alone[flag]:
			w.Loose = true
		case (flag == "--resume" || flag == "-r" || flag == "--session-id") && form.MatchString(value):
			w.ID = value
		}
	}
	return w, true
}
