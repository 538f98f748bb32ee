package cursor

import (
	"path/filepath"
	"strings"

	"deskbell/engine"
	"deskbell/sources"
)

// commands are the first words after which it is no session. That of "ls" and "resume" is
// one.
var commands = map[string]bool{
	"login": true, "logout": true, "status": true, "whoami": true, "about": true, "mcp": true, "models": true, "update": true, "upgrade": true,
	"create-chat": true, "generate-rule": true, "rule": true, "acp": true, "worker": true, "help": true, "install-shell-integration": true,
	"uninstall-shell-integration": true, "sandbox": true, "plugin": true,
}

// alone are the flags with which it prints something and exits.
var alone = map[string]bool{
	"-p": true, "--print": true, "-v": true, "--version": true, "-h": true, "--help": true, "--list-models": true, "--output-format": true,
}

// place is the folder of an installation: the program is called "agent" too, and so are
// others.
const place = "/cursor-agent/"

// runs tells whether p is Cursor agent. It is loose when nobody can attend it.
func runs(p sources.Proc) (engine.Who, bool) {
	args, ok := arguments(p)
	if !ok {
		return engine.Who{}, false
	}
	w := p.Who(tool, p.Env[homeEnv])
	w.Loose = w.Loose || len(args) > 0 && commands[args[0]]
	for i, a := range args {
		flag, value := sources.FlagAt(args, i)
		switch {
		case a == "--":
			return w, true
		case alone[flag]:
			w.Loose = true
		case flag == "--workspace" && value != "":
			w.Dir = value
		case flag == "--resume" && form.MatchString(value):
			w.ID = value
		}
	}
	return w, true
}

// arguments are those of the program itself: a script starts its own node in its place,
// under its own name or that of node.
func arguments(p sources.Proc) ([]string, bool) {
	if len(p.Args) == 0 {
		return nil, false
	}
	first, rest := sources.BaseName(p.Args[0]), p.Args[1:]
	known := first == program
	for len(rest) > 0 && strings.HasPrefix(rest[0], "--") && len(rest) > 1 && scripted(rest[1:]) {
		rest = rest[1:] // a flag of node's
	}
	if len(rest) > 0 && installed(rest[0]) {
		return rest[1:], known || first == "agent" || first == "node"
	}
	return rest, known || first == "agent" && strings.Contains(filepath.ToSlash(p.Exe), place)
}

// scripted reports whether the script of the program is among words of which those before
// it are flags.
func scripted(words []string) bool {
	for _, w := range words {
		if !strings.HasPrefix(w, "--") {
			return installed(w)
		}
	}
	return false
}

func installed(file string) bool {
	file = filepath.ToSlash(file)
	return strings.Contains(file, place) && strings.HasSuffix(file, "/index.js")
}
