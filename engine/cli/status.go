package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"deskbell/engine"
)

type statusCmd struct {
	JSON   bool   `name:"json" xor:"form" help:"Print JSON; with --watch one object a line."`
	Format string `placeholder:"TEMPLATE" xor:"form" help:"Print what the template makes of the state, for the bars of tmux, waybar and the like; see below."`
	Watch  bool   `help:"Go on showing it as it changes."`
	All    bool   `help:"Show ended sessions too."`
	Shared bool   `help:"Show only what is shared with other devices."`
}

// Help is shown below the usage.
func (statusCmd) Help() string {
	return "Prints a line for each live session, those that need you first. A question mark means that nobody reported it: it is a guess.\n\n" + formatHelp
}

// Run prints the state.
func (s statusCmd) Run(in Env) error {
	form, err := newForm(s.Format)
	if err != nil {
		return err
	}
	c := in.dial()
	ctx, cancel := in.begin()
	defer cancel()
	if s.Watch && s.Format != "" {
		return s.watchForm(ctx, c, in, form)
	}
	if s.Watch {
		return s.watch(ctx, c, in)
	}
	body, err := c.get(ctx, s.path("/sessions/live"))
	if err != nil {
		return err
	}
	if s.JSON && !s.Shared {
		return put(in.Stdout, body)
	}
	var snap engine.Snapshot
	if err := decode(body, &snap); err != nil {
		return err
	}
	if s.Shared {
		snap = shared(snap)
	}
	if s.JSON {
		return putJSON(in.Stdout, snap)
	}
	if s.Format != "" {
		text, err := form.fill(snap, in.Now())
		if err != nil {
			return err
		}
		return put(in.Stdout, []byte(text))
	}
	lines := table(snap, in.Now(), in.output())
	return put(in.Stdout, []byte(strings.Join(lines, "\n")))
}

// path is where on the API this command looks.
func (s statusCmd) path(p string) string {
	if s.All {
		return p + "?all=1"
	}
	return p
}

// begin returns the context of a command: it ends with in.Context or when the user
// interrupts it.
func (in Env) begin() (context.Context, context.CancelFunc) {
	ctx := in.Context
	if ctx == nil {
		ctx = context.Background()
	}
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}

// put prints text in one write, and ends its line.
func put(w io.Writer, text []byte) error {
	if len(text) == 0 || text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	return nil
}
