package codex

import (
	"strings"

	"deskbell/engine"
	"deskbell/sources"
)

// commands are the first words after which codex is no session in a terminal: scripted
// runs, servers, and its own tools.
var commands = map[string]bool{
	"exec": true, "e": true, "review": true, "login": true, "logout": true, "mcp": true, "mcp-server": true, "app-server": true, "app": true,
	"exec-server": true, "responses-api-proxy": true, "stdio-to-uds": true, "completion": true, "sandbox": true, "debug": true, "apply": true, "a": true,
	"cloud": true, "cloud-tasks": true, "features": true, "execpolicy": true, "proto": true, "p": true, "update": true, "archive": true, "unarchive": true,
	"delete": true, "queue": true, "agents": true, "plugin": true, "doctor": true, "remote-control": true, "generate-ts": true, "help": true,
}

// daemon is the command of the server that runs the turns of all terminals.
const daemon = "app-server"

// alone are the flags with which codex prints something and exits.
var alone = map[string]bool{"-V": true, "--version": true, "-h": true, "--help": true}

// valued are the flags whose value is a word of its own.
var valued = map[string]bool{
	"-c": true, "--config": true, "-m": true, "--model": true, "-p": true, "--profile": true, "-s": true, "--sandbox": true,
	"-a": true, "--ask-for-approval": true, "-C": true, "--cd": true, "-i": true, "--image": true, "--add-dir": true,
	"--enable": true, "--disable": true, "--local-provider": true, "--remote": true, "--remote-auth-token-env": true,
}

// call is a command line of codex.
type call struct {
	command string // its first word that is no flag; a prompt, mostly
	id      string // of the thread it resumes
	dir     string
	alone   bool
}

func read(args []string) (c call) {
	resumes := false
	for i := 0; i < len(args); i++ {
		flag, value, inside := strings.Cut(args[i], "=")
		switch {
		case args[i] == "--": // what follows is the prompt
			return c
		case alone[flag]:
			c.alone = true
		case strings.HasPrefix(flag, "-"):
			if valued[flag] && !inside && i+1 < len(args) {
				i++
				value = args[i]
			}
			if rest, short := strings.CutPrefix(args[i], "-C"); short && rest != "" {
				flag, value = "-C", rest
			}
			if flag == "-C" || flag == "--cd" {
				c.dir = value
			}
		case c.command == "":
			c.command = args[i]
			resumes = c.command == "resume"
		case resumes:
			resumes = false
			if form.MatchString(args[i]) {
				c.id = args[i]
			}
		}
	}
	return c
}

// runs tells whether p is Codex in a terminal. It is loose when nobody can attend it. The
// wrapper that npm installs is no run, what it starts is: that is who calls hooks and who
// holds locks.
func runs(p sources.Proc) (engine.Who, bool) {
	if len(p.Args) == 0 || !native(p.Args[0]) {
		return engine.Who{}, false
	}
	c := read(p.Args[1:])
	w := p.Who(tool, p.Env[homeEnv])
	w.ID, w.Loose = c.id, w.Loose || c.alone || commands[c.command]
	if c.dir != "" {
		w.Dir = c.dir
	}
	return w, true
}

// native reports whether file is the program itself. It also goes by other names, for its
// sandbox, and those are none (codex-linux-sandbox). A download from GitHub is named after
// its system.
func native(file string) bool {
	name := sources.BaseName(file)
	if name == tool {
		return true
	}
	rest, is := strings.CutPrefix(name, tool+"-")
	return is && (strings.HasPrefix(rest, "x86_64-") || strings.HasPrefix(rest, "aarch64-"))
}
