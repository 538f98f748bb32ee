package terminal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

const (
	patience = time.Second // for one answer of a program
	most     = 4 << 20     // bytes of it
)

// passed are the variables that commands get of our environment. Ours may come from a
// terminal that has nothing to do with the pane.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "XDG_RUNTIME_DIR", "TMPDIR", "SCREENDIR",
	"SYSTEMROOT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", "__CF_USER_TEXT_ENCODING",
}

// run runs a command, never through a shell, and returns what it printed.
func run(ctx context.Context, env []string, argv ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Env = scrubbed(os.Environ(), env)
	c.WaitDelay = patience / 4 // for children that keep its output open
	out := &bounded{full: cancel}
	errs := &bounded{full: cancel}
	c.Stdout, c.Stderr = out, errs
	err := c.Run()
	switch {
	case out.over:
		return "", fmt.Errorf("%s: more than %d bytes of output", argv[0], most)
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s: no answer within %s", argv[0], patience)
	case errors.As(err, new(*exec.ExitError)):
		says, _, _ := strings.Cut(strings.TrimSpace(errs.String()+"\n"+out.String()), "\n")
		return "", fmt.Errorf("%s: %s", argv[0], says)
	}
	return out.String(), err
}

// scrubbed is what a command sees of ours, and more.
func scrubbed(ours, more []string) []string {
	var env []string
	for _, v := range ours {
		name, _, _ := strings.Cut(v, "=")
		if slices.Contains(passed, strings.ToUpper(name)) || slices.Contains(passed, name) {
			env = append(env, v)
		}
	}
	return append(env, more...)
}

// bounded takes output up to a limit, and ends what writes more.
type bounded struct {
	bytes.Buffer
	full func()
	over bool
}

// Write takes text.
func (b *bounded) Write(text []byte) (int, error) {
	if b.Len()+len(text) > most {
		b.over = true
		b.full()
		return 0, errors.New("too much output")
	}
	return b.Buffer.Write(text)
}
