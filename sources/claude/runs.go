package claude

import (
	"path/filepath"
	"strings"

	"deskbell/engine"
	"deskbell/sources"
)

// entry is the script of an npm build.
const entry = "/@anthropic-ai/claude-code/cli.js"

// commands are the first words after which claude is no session: its own tools
// and the daemon's helpers (facts/claude.md section 4).
var commands = map[string]bool{
	"agents": true, "attach": true, "auth": true, "auto-mode": true, "bg-pty-host": true, "bg-spare": true, "config": true, "daemon": true,
	"doctor": true, "gateway": true, "import": true, "install": true, "logs": true, "mcp": true, "plugin": true, "plugins": true, "project": true,
	"remote-control": true, "respawn": true, "rm": true, "setup-token": true, "stop": true, "ultrareview": true, "update": true, "upgrade": true, "kill": true,
}

// alone are the flags with which claude prints something and exits, or serves.
var alone = map[string]bool{
	"-p": true, "--print": true, "-v": true, "--version": true, "-h": true, "--help": true, "--bg": true, "--background": true,
	"--bg-pty-host": true, "--bg-spare": true,
}

// runs tells whether p is Claude Code. It is loose when nobody can attend it. A
// name is compared whole, never searched for (C42, C43).
func runs(p sources.Proc) (engine.Who, bool) {
	args, ok := arguments(p)
	if !ok {
		return engine.Who{}, false
	}
	w := p.Who(tool, p.Env[homeEnv])
	fork := false
	for i, a := range args {
		flag, value := sources.FlagAt(args, i)
		switch {
		case alone[flag] || i == 0 && commands[a]:
			w.Loose = true
		case flag == "--fork-session":
			fork = true
		case (flag == "--resume" || flag == "-r" || flag == "--session-id") && form.MatchString(value):
			w.ID = value
		}
	}
	if fork {
		w.ID = ""
	}
	return w, true
}

// arguments are those of claude itself, whatever runs it.
func arguments(p sources.Proc) ([]string, bool) {
	if len(p.Args) == 0 {
		return nil, false
	}
	if title, rest, found := strings.Cut(p.Args[0], " "); found && title == tool {
		return append(strings.Fields(rest), p.Args[1:]...), true // a helper that renamed itself
	}
	first := sources.BaseName(p.Args[0])
	if first == tool || sources.BaseName(p.Exe) == tool && !sources.Interpreted(first) || versioned(p.Exe) {
		return p.Args[1:], true
	}
	if sources.Interpreted(first) || sources.Interpreted(p.Exe) {
		file, args := p.Script()
		return args, strings.HasSuffix(file, entry) || sources.BaseName(file) == tool
	}
	return nil, false
}

// versioned reports whether exe is a native install, whose file is named after its
// version: …/claude/versions/2.1.332.
func versioned(exe string) bool {
	dir := filepath.Dir(filepath.ToSlash(exe))
	return sources.BaseName(dir) == "versions" && sources.BaseName(filepath.Dir(dir)) == tool
}
