package opencode

import (
	"path/filepath"
	"strings"

	"deskbell/engine"
	"deskbell/sources"
)

// commands are the first words after which opencode is no session in a terminal: scripted
// runs, servers, and its own tools.
var commands = map[string]bool{
	"run": true, "serve": true, "web": true, "acp": true, "mcp": true, "completion": true, "debug": true, "providers": true, "auth": true,
	"agent": true, "upgrade": true, "uninstall": true, "models": true, "stats": true, "export": true, "import": true, "github": true,
	"session": true, "plugin": true, "plug": true, "db": true,
}

// attach is the command that shows a server that runs already.
const attach = "attach"

// alone are the flags with which opencode prints something and exits.
var alone = map[string]bool{"-h": true, "--help": true, "-v": true, "--version": true}

// valued are the flags whose value is a word of its own.
var valued = map[string]bool{
	"--log-level": true, "--port": true, "--hostname": true, "--mdns-domain": true, "--cors": true, "-m": true, "--model": true,
	"-s": true, "--session": true, "--prompt": true, "--agent": true, "--replay-limit": true, "--dir": true,
	"-p": true, "--password": true, "-u": true, "--username": true,
}

// call is a command line of opencode.
type call struct {
	command string // its first word that is no flag: a command, or the folder to work in
	id      string // of the session it goes on with
	dir     string
	loose   bool
}

func read(args []string) (c call) {
	fork := false
	for i := 0; i < len(args); i++ {
		flag, value, inside := strings.Cut(args[i], "=")
		if valued[flag] && !inside && i+1 < len(args) {
			i++
			value = args[i]
		}
		switch {
		case alone[flag]:
			c.loose = true
		case flag == "--fork":
			fork = true
		case flag == "-s" || flag == "--session":
			if form.MatchString(value) {
				c.id = value
			}
		case flag == "--dir":
			c.dir = value
		case !strings.HasPrefix(flag, "-") && c.command == "":
			c.command = args[i]
		}
	}
	switch {
	case commands[c.command]:
		c.loose = true
	case c.command != "" && c.command != attach:
		c.dir = c.command
	}
	if fork { // what it goes on with is a new session
		c.id = ""
	}
	return c
}

// runs tells whether p is OpenCode in a terminal. It is loose when nobody can attend it.
// The script that npm installs is no run, what it starts is: that is who calls hooks.
func runs(p sources.Proc) (engine.Who, bool) {
	if len(p.Args) == 0 || !native(p.Args[0]) {
		return engine.Who{}, false
	}
	c := read(p.Args[1:])
	w := p.Who(tool, homeIn(p.Env))
	w.ID, w.Loose = c.id, w.Loose || c.loose
	if c.dir != "" {
		w.Dir = c.dir
		if !filepath.IsAbs(c.dir) && p.Dir != "" {
			w.Dir = filepath.Join(p.Dir, c.dir)
		}
	}
	return w, true
}

// native reports whether file is the program itself. npm may keep it under a name with a
// dot before it.
func native(file string) bool {
	file = strings.TrimSuffix(filepath.ToSlash(file), " (deleted)") // replaced by an update while it runs
	name := strings.TrimSuffix(file[strings.LastIndexByte(file, '/')+1:], ".exe")
	return strings.TrimPrefix(name, ".") == tool
}

// homeIn is the home that an environment names, "" if it names none.
func homeIn(env map[string]string) string {
	if up := env[homeEnv]; filepath.IsAbs(up) {
		return filepath.Join(up, tool)
	}
	return ""
}
