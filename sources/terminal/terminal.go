// Package terminal knows where a session is shown: whether you are looking at its very
// pane right now, and how to bring you there.
package terminal

import (
	"context"
	"errors"
	"fmt"
	"os"

	"deskbell/sources"
)

// Pane is where a session runs, as its process tells now. It is read when it is needed
// and never kept: panes are closed, and their names given to others.
type Pane struct {
	PID    int
	TTY    string
	Dir    string
	RunsIn string            // the terminal or multiplexer nearest to it
	Env    map[string]string // only the variables of [sources.EnvKept]
	Up     []sources.Proc    // its ancestors, the nearest first
	// Command gets the user there by hand, if there is such a command.
	Command string

	told   bool   // what shows it has said which of its tabs it is
	any    bool   // and it is the one of all windows of the process
	window uint64 // and in which window
}

// under reports whether pid is the process or one of its ancestors.
func (p Pane) under(pid int) bool {
	if pid == p.PID {
		return pid != 0
	}
	for _, up := range p.Up {
		if up.PID == pid {
			return true
		}
	}
	return false
}

// variable is what the process, or else the nearest ancestor that has it, was started
// with. A variable may come from another terminal: it names something only as far as
// that agrees.
func (p Pane) variable(name string) string {
	if v := p.Env[name]; v != "" {
		return v
	}
	for _, up := range p.Up {
		if v := up.Env[name]; v != "" {
			return v
		}
	}
	return ""
}

// Blocked is why nobody can be brought to a pane, and what to do instead.
type Blocked struct {
	Why     string
	Command string // to be copied; "": there is none
}

func (b *Blocked) Error() string {
	if b.Command == "" {
		return b.Why
	}
	return b.Why + ": run `" + b.Command + "`"
}

func blocked(format string, args ...any) error { return &Blocked{Why: fmt.Sprintf(format, args...)} }

// Terminals are the terminals of this desktop.
type Terminals struct {
	// Find reads the process pid and its ancestors.
	Find func(pid int) (Pane, bool)

	getenv func(string) string
	run    func(ctx context.Context, env []string, argv ...string) (string, error)
	places []place
	desks  []desk
	held   func(pid int) (terminals int, ok bool) // how many terminals a process holds open
}

// New returns the terminals of the desktop that we run on.
func New(find func(pid int) (Pane, bool)) *Terminals {
	return &Terminals{Find: find, getenv: os.Getenv, run: run, places: places, desks: desks, held: held}
}

// place is a program that shows several panes, and can tell them apart. Such programs
// are nested: a pane is in a multiplexer, its client in a tab, the tab in a window.
type place struct {
	name string
	// holds reports whether the pane is in it, as far as its process tells.
	holds func(p Pane) bool
	// find asks it for the pane.
	find func(ctx context.Context, t *Terminals, p Pane) (spot, error)
}

// spot is where a pane is in a place.
type spot struct {
	shown   bool   // the place shows it and types into it
	whole   bool   // the place has seen to its window too: shown tells all there is
	viewers []Pane // what the place is shown in; none: nobody can see it
	// bring makes the place show it and returns what to bring up next; nil: nothing.
	bring func(ctx context.Context) (*Pane, error)
}

// deepest is how far places may be nested.
const deepest = 8

// Looking reports whether you are looking at the pane now: it is the one that what you
// type goes to. known is false where that cannot be told.
func (t *Terminals) Looking(ctx context.Context, p Pane) (yes, known bool) {
	return t.looking(ctx, p, deepest)
}

func (t *Terminals) looking(ctx context.Context, p Pane, depth int) (yes, known bool) {
	place := t.place(p)
	if place == nil {
		return t.faced(ctx, p)
	}
	s, err := place.find(ctx, t, p)
	switch {
	case err != nil || depth == 0:
		return false, false
	case !s.shown || s.whole:
		return s.shown, true
	}
	known = len(s.viewers) > 0
	for _, v := range s.viewers {
		y, k := t.looking(ctx, v, depth-1)
		if y {
			return true, true
		}
		known = known && k
	}
	return false, known
}

// Focus brings you to the pane. It is for when you asked for that.
func (t *Terminals) Focus(ctx context.Context, p Pane) error {
	at := p
	for range deepest {
		place := t.place(at)
		if place == nil {
			return advised(t.raise(ctx, at), p.Command)
		}
		s, err := place.find(ctx, t, at)
		var next *Pane
		if err == nil {
			next, err = s.bring(ctx)
		}
		if err != nil {
			return advised(err, p.Command)
		}
		if next == nil {
			return nil
		}
		at = *next
	}
	return blocked("its terminals are nested too deeply: go there yourself")
}

// advised adds the caller's command to an error that has none.
func advised(err error, command string) error {
	if err == nil {
		return nil
	}
	var b *Blocked
	if errors.As(err, &b) && b.Command != "" || command == "" {
		return err
	}
	return &Blocked{err.Error(), command}
}

// place is the innermost place that the pane is in and that was not asked yet.
func (t *Terminals) place(p Pane) *place {
	if p.told {
		return nil
	}
	for i := range t.places {
		if t.places[i].holds(p) {
			return &t.places[i]
		}
	}
	return nil
}
