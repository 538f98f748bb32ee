package raw

import (
	"errors"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// maxTerms bounds the terminals that are remembered from hooks.
const maxTerms = 4096

// met remembers which session a hook was called from in a terminal.
func (w *World) met(l *Line, events []engine.Event) {
	if len(events) == 0 {
		return
	}
	if len(w.terms) >= maxTerms {
		clear(w.terms)
	}
	for _, term := range []string{l.Env[sources.TermEnv], l.TTY} {
		if term != "" {
			w.terms[term] = events[0].Who
		}
	}
}

// title takes in the title of a terminal. What runs there is told by its process, else
// by the last hook that was called there, else the name of the terminal has to do.
func (w *World) title(_ time.Time, l *Line) ([]engine.Event, error) {
	if l.Term == "" || l.Text == nil {
		return nil, errors.New(`a title needs its terminal and its text, "term": "t1", "text": "…"`)
	}
	var out []engine.Event
	for i := range w.opt.CLIs {
		c := &w.opt.CLIs[i]
		fact, is := c.Titled(*l.Text)
		if !is || l.Tool != "" && l.Tool != c.Name {
			continue
		}
		who, known := w.inside(c, l.Term)
		ev := engine.Event{At: l.At, By: engine.Terminal, Who: who, Fact: fact}
		if known {
			return []engine.Event{ev}, nil
		}
		out = append(out, ev)
	}
	return out, nil // of whichever tool a session was opened in that terminal
}

// inside is who runs in a terminal.
func (w *World) inside(c *sources.CLI, term string) (engine.Who, bool) {
	for _, who := range w.sessions()[c] {
		if p := w.table.all[who.PID]; !who.Loose && (p.Env[sources.TermEnv] == term || p.TTY == term) {
			return who, true
		}
	}
	if who, known := w.terms[term]; known && who.Tool == c.Name {
		return who, true
	}
	return engine.Who{Tool: c.Name, Term: term}, false
}
