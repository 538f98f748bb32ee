package client

import "os"

// call is how the client was called: [tool [event]]. A JSON object among the
// arguments is the payload: the older way of Codex to notify a program.
type call struct {
	tool, event, payload string
	help                 bool
}

// called reports whether argv calls the client, and its arguments: the binary has
// the client's name, or the first argument is "hook".
func called(argv []string) (args []string, ok bool) {
	if len(argv) == 0 {
		return nil, false
	}
	if base(argv[0]) == name {
		return argv[1:], true
	}
	if len(argv) > 1 && argv[1] == "hook" {
		return argv[2:], true
	}
	return nil, false
}

// base is the name of a program without folder and ".exe".
func base(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if os.IsPathSeparator(path[i]) {
			path = path[i+1:]
			break
		}
	}
	const exe = ".exe"
	if n := len(path) - len(exe); n > 0 && lower(path[n:]) == exe {
		path = path[:n]
	}
	return path
}

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func parse(args []string) (c call) {
	n := 0
	for _, a := range args {
		switch {
		case a == "-h" || a == "--help":
			c.help = true
		case len(a) > 0 && a[0] == '{':
			c.payload = a
		case n == 0:
			c.tool, n = a, 1
		case n == 1:
			c.event, n = a, 2
		}
	}
	if c.tool == "" {
		c.tool = fallback
	}
	return c
}
