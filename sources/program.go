package sources

import (
	"path/filepath"
	"slices"
	"strings"

	"deskbell/engine"
)

// BaseName is what the program in a file is called, on any system, and also where an update
// has replaced it while it runs.
func BaseName(file string) string {
	file = strings.TrimSuffix(filepath.ToSlash(file), " (deleted)")
	return strings.TrimSuffix(file[strings.LastIndexByte(file, '/')+1:], ".exe")
}

// interpreters run scripts.
var interpreters = []string{"node", "bun"}

// Interpreted reports whether the program in a file runs scripts.
func Interpreted(file string) bool { return slices.Contains(interpreters, BaseName(file)) }

// Script is the script that an interpreter runs, with slashes, and what follows it; "":
// none.
func (p Proc) Script() (file string, args []string) {
	for i, a := range p.Args {
		if i > 0 && !strings.HasPrefix(a, "-") {
			return filepath.ToSlash(a), p.Args[i+1:]
		}
	}
	return "", nil
}

// Words are the arguments of the program called name, also where it is a script for which
// is holds. ok is false where p is another program.
func (p Proc) Words(name string, is func(script string) bool) (args []string, ok bool) {
	if len(p.Args) == 0 {
		return nil, false
	}
	if BaseName(p.Args[0]) == name {
		return p.Args[1:], true
	}
	if !Interpreted(p.Args[0]) {
		return nil, false
	}
	script, args := p.Script()
	return args, is(script)
}

// Who is p as a run of a tool whose home is the given one.
func (p Proc) Who(tool, home string) engine.Who {
	return engine.Who{Tool: tool, PID: p.PID, Ticks: p.Ticks, Parent: p.Parent, Dir: p.Dir, TTY: p.TTY, Home: home, Loose: p.TTY == ""}
}

// FlagAt is the argument at i without its value, and that: what follows "=" in it, or else
// the next argument.
func FlagAt(args []string, i int) (flag, value string) {
	flag, value, inside := strings.Cut(args[i], "=")
	if !inside && i+1 < len(args) {
		value = args[i+1]
	}
	return flag, value
}
