// Package client is the program that agent CLIs call as their hook: it tells the
// running deskbell what it was given, and is gone within a few milliseconds.
//
// It does its work while the program that imports it initializes. Go initializes
// packages in the order of their import paths, as soon as what they import is done:
// this one imports os and syscall and nothing else, so it runs before anything heavy
// that is in the same binary. The test of it in package hooks holds it to that.
//
// It prints nothing that a CLI could take for a decision, exits with status 0
// whatever happens, and drops what it cannot hand over at once: transcripts and
// session files tell the rest.
package client

import (
	"os"
	"syscall"
)

const (
	name     = "deskbell-hook" // what the binary is called when it is a hook
	fallback = "claude"        // the tool, if none is named
)

// How long the client waits at most, in ns: for the next part of its payload, for all
// of it, and for the receiver to take it. Nearly always it does not wait at all.
const (
	readQuiet    = 1e9
	readPatience = 5e9
	sendPatience = 3e6
)

const usage = `Usage: deskbell hook [tool [event]]

Called by agent CLIs as their hook: takes one JSON value on standard input to the
running deskbell. Prints no decision and always exits with status 0.
Agents are told to call it by ` + "`deskbell hooks install`" + `.
`

// incoming is the payload. It is there from the start because the heap would have to
// grow for it.
var incoming value

func init() {
	if args, ok := called(os.Args); ok {
		hook(args)
	}
}

// hook does not return.
func hook(args []string) {
	var c call
	defer os.Exit(0)
	defer func() {
		_ = recover() // an agent must never see its hook fail
		say(answer(c.tool))
	}()
	f := Frame{}
	f.Wall, f.Boot = wallClock(), Boot()
	c = parse(args)
	if c.help {
		say(usage)
		return
	}
	f.Tool, f.Event = c.tool, c.event
	if incoming.take(c.payload); c.payload == "" {
		incoming.read()
	}
	f.Payload, f.Size, f.Cut = incoming.finish()
	if len(f.Payload) == 0 && !f.Cut {
		return
	}
	path := Socket()
	if path == "" {
		return
	}
	f.BootID, f.Self = BootID(), os.Getpid()
	pid, p := caller(c.tool, os.Getenv("CLAUDE_PID"), os.Getppid(), look)
	f.PID, f.Ticks, f.TTY = pid, p.ticks, p.tty
	f.Env = environment(os.LookupEnv)
	_ = Send(path, f.Append(nil), sendPatience) // nobody is there, or busy: dropped
}

// say writes to standard output what a CLI wants to read there.
func say(text string) {
	if text != "" {
		_, _ = syscall.Write(syscall.Stdout, []byte(text))
	}
}

// answer is what a tool expects a hook without an opinion to print. It is never a
// decision.
func answer(tool string) string {
	switch tool {
	case "gemini", "cursor": // they read standard output as JSON, and wait for it
		return "{}\n"
	}
	return ""
}
