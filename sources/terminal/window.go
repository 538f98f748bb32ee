package terminal

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// window is one window of the desktop.
type window struct {
	id     uint64
	pid    int
	title  string
	dialog bool // and no window of its own
}

// view is what a desktop shows now.
type view struct {
	windows []window
	active  uint64 // the window that what you type goes to; 0: none
	blind   bool   // it is not known which is active
	away    bool   // a screen saver hides them all
}

// desk is a way to ask for the windows of a desktop and to raise one. env has the
// variables of whoever is shown there, and else our own.
type desk struct {
	name  string
	here  func(env func(string) string) bool
	look  func(ctx context.Context, env func(string) string, p Pane) (view, error)
	raise func(ctx context.Context, env func(string) string, id uint64) error
}

// desks are asked in this order: a compositor knows its X windows too.
var desks = append(native, desk{"sway", set("SWAYSOCK"), swayLook, swayRaise},
	desk{"Hyprland", set("HYPRLAND_INSTANCE_SIGNATURE"), hyprLook, hyprRaise},
	desk{"X11", func(env func(string) string) bool { return localDisplay(env("DISPLAY")) }, xLook, xRaise})

func set(variable string) func(func(string) string) bool {
	return func(env func(string) string) bool { return env(variable) != "" }
}

// env are the variables of p, and else ours.
func (t *Terminals) env(p Pane) func(string) string {
	return func(name string) string {
		v := p.variable(name)
		if v == "" || name == "DISPLAY" && !localDisplay(v) {
			return t.getenv(name)
		}
		return v
	}
}

// owned are the windows of the nearest ancestor that has any, or of p itself.
func owned(windows []window, p Pane) []window {
	for _, pid := range append([]int{p.PID}, pids(p)...) {
		var of []window
		for _, w := range windows {
			if w.pid == pid && pid != 0 && !w.dialog {
				of = append(of, w)
			}
		}
		if len(of) > 0 {
			return of
		}
	}
	return nil
}

func pids(p Pane) (out []int) {
	for _, up := range p.Up {
		out = append(out, up.PID)
	}
	return out
}

// pick tells in which of the windows of its terminal p is: the one that its terminal or
// its variables name, the only one, or, of an editor, the only one with the folder in its
// title. WINDOWID may come from another terminal, and is no window's under Wayland.
func pick(of []window, p Pane) (w window, why error) {
	hint := p.window
	if hint == 0 {
		hint, _ = strconv.ParseUint(p.variable("WINDOWID"), 10, 32)
	}
	if i := slices.IndexFunc(of, func(w window) bool { return w.id == hint }); i >= 0 && hint != 0 {
		return of[i], nil
	}
	if len(of) == 1 {
		return of[0], nil
	}
	if slices.Contains(named, p.RunsIn) && p.Dir != "" {
		word := regexp.MustCompile(`(?i)(^|[^\w.-])` + regexp.QuoteMeta(filepath.Base(p.Dir)) + `($|[^\w.-])`)
		var fit []window
		for _, w := range of {
			if word.MatchString(w.title) {
				fit = append(fit, w)
			}
		}
		if len(fit) == 1 {
			return fit[0], nil
		}
	}
	return w, blocked("%s has %d windows and does not tell which of them is the one: go there yourself", called(p), len(of))
}

// called is what p's terminal is called in sentences.
func called(p Pane) string {
	if p.RunsIn == "" {
		return "its terminal"
	}
	return p.RunsIn
}

// sure reports whether the window shows p and nothing beside it.
func (t *Terminals) sure(of []window, p Pane) bool {
	if p.told || slices.Contains(single, p.RunsIn) {
		return true
	}
	n, ok := t.held(of[0].pid) // each window has at least one
	return ok && n == len(of)
}

// faced reports whether the window of p is the one you look at.
func (t *Terminals) faced(ctx context.Context, p Pane) (yes, known bool) {
	if slices.Contains(elsewhere, p.RunsIn) {
		return false, false
	}
	env := t.env(p)
	for _, d := range t.desks {
		if !d.here(env) {
			continue
		}
		v, err := d.look(ctx, env, p)
		of := owned(v.windows, p)
		if err != nil || len(of) == 0 || v.blind {
			continue
		}
		if v.away || !slices.ContainsFunc(of, func(w window) bool { return w.id == v.active }) {
			return false, true
		}
		if p.any {
			return true, true
		}
		w, why := pick(of, p)
		switch {
		case why != nil:
			return false, false
		case w.id != v.active:
			return false, true
		}
		sure := t.sure(of, p)
		return sure, sure
	}
	return false, false
}

// raise brings the window of p to the front.
func (t *Terminals) raise(ctx context.Context, p Pane) error {
	if slices.Contains(elsewhere, p.RunsIn) {
		return blocked("it is shown on another machine, over %s: go there yourself", p.RunsIn)
	}
	env := t.env(p)
	var trouble error
	asked := false
	for _, d := range t.desks {
		if !d.here(env) {
			continue
		}
		asked = true
		v, err := d.look(ctx, env, p)
		if err != nil {
			trouble = blocked("%s does not answer (%v): go to %s yourself", d.name, err, where(p))
			continue
		}
		of := owned(v.windows, p)
		if len(of) == 0 {
			continue
		}
		w, err := pick(of, p)
		if err != nil {
			return err
		}
		if err := d.raise(ctx, env, w.id); err != nil {
			return blocked("%s did not bring it to the front (%v): go to %s yourself", d.name, err, where(p))
		}
		if !slices.Contains(named, p.RunsIn) && !t.sure(of, p) {
			return blocked("%s is in front, but does not tell which of its tabs it is: look for %s", called(p), p.TTY)
		}
		return nil
	}
	switch {
	case trouble != nil:
		return trouble
	case asked:
		return blocked("this desktop shows us no window of %s: go there yourself", where(p))
	}
	return blocked("this desktop lets nobody raise a window of another program: go to %s yourself", where(p))
}

// where tells a pane to the user.
func where(p Pane) string {
	if p.TTY == "" {
		return called(p)
	}
	return called(p) + " (" + p.TTY + ")"
}
