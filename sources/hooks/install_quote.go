package hooks

import (
	"path/filepath"
	"strings"
)

// clientName is what the client is called, wherever it is. Entries are ours by it.
const clientName = "deskbell-hook"

// harmless are the characters that mean nothing to a shell.
const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,"

// shellWord returns path as one word of a command line. On Windows that is read by
// whichever shell there is: slashes and double quotes suit them all.
func shellWord(path string, windows bool) string {
	if windows {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	switch {
	case strings.Trim(path, harmless) == "":
		return path
	case windows && !strings.ContainsAny(path, "$`!\""):
		return `"` + path + `"`
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// program returns the path of the program a command line runs: its first word.
func program(command string) string {
	var b strings.Builder
	command = strings.TrimLeft(command, " \t\r\n")
	quote := byte(0)
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == '\\' && quote != '\'' && i+1 < len(command) && strings.IndexByte(" \t'\"\\$`&();|<>", command[i+1]) >= 0:
			i++
			b.WriteByte(command[i])
		case quote == 0 && strings.IndexByte(" \t\r\n&;|<>()", c) >= 0:
			return b.String()
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// ours reports whether path is a client of ours, of whatever version.
func ours(path string) bool {
	base := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	return strings.TrimSuffix(base, ".exe") == clientName
}

// command is the command line that runs the client at path.
func (t target) command(path, event string, windows bool) string {
	line := shellWord(filepath.Clean(path), windows)
	line += " " + t.name
	if t.TellsEvent {
		line += " " + event
	}
	return line
}
