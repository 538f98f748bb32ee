package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// program is a way to show a notice without us speaking to the service. No text
// of a notice may be taken for an option, and none goes through a shell. Nothing
// so shown stays, for we could not withdraw it.
type program struct {
	Name string
	Args func(n Notice) []string
}

var programs = []program{
	{"notify-send", func(n Notice) []string {
		return []string{"--app-name=" + app, "--", n.Title, lines(escape(n.Body), escape(n.Line), "\n")}
	}},
	{"kdialog", func(n Notice) []string {
		const seconds = "15"
		body := strings.NewReplacer("<", "‹", ">", "›").Replace(lines(n.Body, n.Line, "\n"))
		return []string{"--title=" + n.Title, "--passivepopup=" + body, seconds}
	}},
}

// fallback shows n by the first program that does.
func (b *bus) fallback(ctx context.Context, n Notice) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var failed []error
	for _, p := range programs {
		err := b.run(ctx, p.Name, p.Args(n)...)
		if err == nil {
			return nil
		}
		failed = append(failed, err)
	}
	return joinOne(failed)
}

// joinOne is errors.Join on one line.
func joinOne(errs []error) error {
	var words []string
	for _, err := range errs {
		words = append(words, err.Error())
	}
	return errors.New(strings.Join(words, "; "))
}

// run runs a program to its end, or to that of ctx.
func run(ctx context.Context, name string, args ...string) error {
	path, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("%s is not installed", name)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("%s does not come to an end", name)
		}
		what, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return fmt.Errorf("%s: %w: %s", name, err, cut(clean(what), maxBody))
	}
	return nil
}
