package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// Finder finds where processes and sessions run now.
type Finder struct {
	// Line reads a process and its ancestors, the nearest first; empty: it is not there.
	Line func(pid int) []sources.Proc
	// In names the terminal that the first process of a line runs in.
	In func(line []sources.Proc) string
	// Runs reports whether a process is a run of the tool.
	Runs func(tool string, p sources.Proc) bool
}

// At is where a process runs.
func (f Finder) At(pid int) (Pane, bool) {
	line := f.Line(pid)
	if len(line) == 0 {
		return Pane{}, false
	}
	return f.pane(line), true
}

func (f Finder) pane(line []sources.Proc) Pane {
	p := line[0]
	return Pane{PID: p.PID, TTY: p.TTY, Dir: p.Dir, RunsIn: f.In(line), Env: p.Env, Up: line[1:]}
}

// Of is where a session runs, or an error that says what to do. A pid may have been given
// to another process, and a session may have been told to run where we do not see it.
func (f Finder) Of(s engine.Session) (Pane, error) {
	line := f.Line(s.PID)
	switch {
	case s.Peer != "":
		return Pane{}, fmt.Errorf("it runs on %s: go there", s.Peer)
	case !s.Status.Live() || s.Status == engine.Asleep:
		return Pane{}, fmt.Errorf("it is %s and has no terminal: start it again yourself", s.Status)
	case s.PID == 0:
		return Pane{}, errors.New("its process is not known yet: go there yourself")
	case len(line) == 0 || !f.Runs(s.Tool, line[0]):
		return Pane{}, fmt.Errorf("its process %d is not here any more: go there yourself", s.PID)
	case s.TTY != "" && s.TTY != line[0].TTY:
		return Pane{}, fmt.Errorf("its process has left the terminal %s: go there yourself", s.TTY)
	}
	p := f.pane(line)
	p.RunsIn = cmp.Or(p.RunsIn, s.RunsIn)
	return p, nil
}

// reach is how long it may take to bring you to a session, or to see whether you are there.
const reach = 5 * time.Second

// Guide brings you to sessions: it finds where one runs now, and shows that.
type Guide struct {
	Finder
	*Terminals
}

// NewGuide returns a guide on the desktop that we run on.
func NewGuide(f Finder) Guide { return Guide{f, New(f.At)} }

// Bring shows you the pane that a session runs in, or says what to do.
func (g Guide) Bring(ctx context.Context, s engine.Session) error {
	p, err := g.Of(s)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, reach)
	defer cancel()
	return g.Focus(ctx, p)
}

// Glance reports whether you look at that pane, if that is to be known.
func (g Guide) Glance(ctx context.Context, s engine.Session) (yes, known bool) {
	p, err := g.Of(s)
	if err != nil {
		return false, false
	}
	ctx, cancel := context.WithTimeout(ctx, reach)
	defer cancel()
	return g.Looking(ctx, p)
}
