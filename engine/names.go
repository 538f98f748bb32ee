package engine

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// title gives s its project, its number and its title (SPEC section 10): the name you
// gave it, else the CLI's own, else the project, a number and what it was first asked.
func (e *Engine) title(s *entry) {
	f, o := &s.facts, &s.view
	o.Project, o.Branch = e.project(s.who.Dir), nil
	if head := e.checkouts[s.who.Dir].Head; head != "" && s.who.Dir != "" {
		o.Branch = &Branch{Head: head}
	}
	if o.Status != Unknown {
		e.count(s)
	}
	o.Title = cmp.Or(s.prefs.Name, f.Title.Text, f.Prompt.Text)
	if o.Project == "" || s.number == 0 || s.prefs.Name != "" || f.Title.Text != "" {
		return
	}
	o.Title = o.Project + " #" + strconv.Itoa(s.number)
	if f.Prompt.Text != "" {
		o.Title += ": " + f.Prompt.Text
	}
}

// project is what is worked on in a folder: its name, unless it is a checkout of
// something else.
func (e *Engine) project(dir string) string {
	base := path.Base(strings.ReplaceAll(dir, `\`, "/"))
	if base == "." {
		base = ""
	}
	return cmp.Or(e.checkouts[dir].Project, base)
}

// count gives s the lowest number that no live session of its project has. It keeps that
// as long as it lives and works on the project, and is given another only if, when it
// comes back, somebody else has it.
func (e *Engine) count(s *entry) {
	project := s.view.Project
	same := s.numberOf == project && s.number > 0
	if back := !s.ended.IsZero() && s.view.Status != Ended; same && !back {
		return
	}
	taken := map[int]bool{}
	for _, o := range e.order {
		if o != s && o.numberOf == project && o.view.Status != Ended {
			taken[o.number] = true
		}
	}
	for i := range e.memory {
		if c := &e.memory[i]; c.Project == project {
			taken[c.Number] = true
		}
	}
	if same && !taken[s.number] {
		return
	}
	s.number, s.numberOf = 1, project
	for taken[s.number] {
		s.number++
	}
}

// checkOut notes what is checked out in a folder in which somebody works.
func (e *Engine) checkOut(w Who, f Checkout) {
	if w.Dir == "" || e.checkouts[w.Dir] == f {
		return
	}
	known := false
	for _, s := range e.order {
		if s.who.Dir == w.Dir {
			known = true
			e.touch(s)
		}
	}
	if !known {
		return
	}
	e.noteCheckout(w.Dir, f)
}

// checkoutsKept bounds the folders of which it is known what is checked out there. It is
// told again of those in which somebody works.
const checkoutsKept = 1000

func (e *Engine) noteCheckout(dir string, f Checkout) {
	if e.checkouts == nil {
		e.checkouts = map[string]Checkout{}
	}
	e.checkouts[dir] = f
	if len(e.checkouts) > checkoutsKept {
		maps.DeleteFunc(e.checkouts, func(dir string, _ Checkout) bool {
			return !slices.ContainsFunc(e.order, func(s *entry) bool { return s.who.Dir == dir })
		})
	}
}

// recallProject notes what a card of an earlier run was a checkout of, until that is told
// again.
func (e *Engine) recallProject(c Card) {
	if c.Dir != "" && c.Project != "" && c.Project != e.project(c.Dir) {
		e.noteCheckout(c.Dir, Checkout{Project: c.Project})
	}
}
