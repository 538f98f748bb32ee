package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"time"

	"deskbell/engine"
)

// formatHelp tells how to write a template.
const formatHelp = `--format takes a Go template (text/template) over the snapshot as --json prints it, in the names of Go: .Counts.NeedsYou, .Counts.Working, and .Sessions with .Title, .Project, .Status, .Asks, .Room and so on. Beside the functions of text/template there are, of a session, name, head (its name without its title), shape, word, status, where, age and colour; of all, totals (in words), worst (the status to be seen to first, or "none"), need_you (the sessions that do) and memory; and cut N TEXT and json VALUE. With --watch it prints a line whenever that is another.

tmux: set -g status-right '#(deskbell status --format "{{.Counts.NeedsYou}} need you, {{.Counts.Working}} working")'

waybar: "exec": "deskbell status --watch --format '{\"text\":{{json (print .Counts.NeedsYou)}},\"tooltip\":{{json (totals .)}},\"class\":\"{{worst .}}\"}'", "return-type": "json"

starship: [custom.deskbell] command = "deskbell status --format '{{range need_you .}}{{shape .}} {{cut 20 (head .)}} {{end}}'", when = true`

// form is what a template makes of a state.
type form struct{ *template.Template }

// newForm reads a template. What is wrong with it is said with its place.
func newForm(text string) (form, error) {
	t, err := template.New("--format").Funcs(functions(time.Time{})).Option("missingkey=error").Parse(text)
	if err != nil {
		return form{}, misformed(err)
	}
	return form{t}, nil
}

// fill returns the text for a state at a time. Nothing in it but what the template
// itself has can disturb a terminal.
func (f form) fill(s engine.Snapshot, now time.Time) (string, error) {
	t, err := f.Clone()
	if err != nil {
		return "", err
	}
	for i := range s.Sessions {
		harmless(&s.Sessions[i])
	}
	var b strings.Builder
	if err := t.Funcs(functions(now)).Execute(&b, s); err != nil {
		return "", misformed(err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// harmless makes the texts in s fit for a terminal.
func harmless(s *engine.Session) {
	for _, text := range []*string{
		&s.Tool, &s.SessionID, &s.Title, &s.Project, &s.Dir, &s.BeganIn, &s.Doing, &s.Asks, &s.AsksBy, &s.Peer, &s.RunsIn,
		&s.Terminal, &s.TTY, &s.Model, &s.Effort, &s.PermissionMode, &s.Room, &s.Name,
	} {
		*text = clean(*text)
	}
	s.Agents = slices.Clone(s.Agents)
	for i := range s.Agents {
		a := &s.Agents[i]
		a.Type, a.Task = clean(a.Type), clean(a.Task)
	}
	if s.Label != nil {
		l := *s.Label
		l.Name = clean(l.Name)
		s.Label = &l
	}
}

func misformed(err error) error {
	var bad template.ExecError
	if errors.As(err, &bad) {
		err = bad.Err
	}
	says := strings.TrimPrefix(err.Error(), "template: ")
	return Misuse(fmt.Sprintf("%s (see `deskbell status --help`)", strings.ReplaceAll(says, `executing "--format" `, "")))
}

// functions are those a template may call.
func functions(now time.Time) template.FuncMap {
	return template.FuncMap{
		"name":   func(s engine.Session) string { return clean(name(s)) },
		"head":   func(s engine.Session) string { return clean(head(s)) },
		"shape":  func(s engine.Session) string { return lookOf(s).shape },
		"word":   func(s engine.Session) string { return lookOf(s).word },
		"status": func(s engine.Session) string { return s.Status.String() },
		"where":  func(s engine.Session) string { return clean(place(s)) },
		"age":    func(s engine.Session) string { return short(ago(now, s.Since)) },
		"colour": func(s engine.Session) string { return cmp.Or(shades[s.Status], "#8a8f98") },
		"totals": totals,
		"worst":  worst,
		"need_you": func(s engine.Snapshot) (all []engine.Session) {
			for _, one := range s.Sessions {
				if one.NeedsYou {
					all = append(all, one)
				}
			}
			return all
		},
		"memory": func(s engine.Snapshot) string {
			var sum int64
			for i := range s.Sessions {
				sum += s.Sessions[i].Memory
			}
			return engine.Sized(sum)
		},
		"cut": func(n int, text string) string { return cut(clean(text), n) },
		"json": func(v any) (string, error) {
			text, err := encoded(v)
			return string(text), err
		},
	}
}

// shades are the colours of DESIGN.md, for bars that take them.
var shades = map[engine.Status]string{
	engine.Approval: "#f5b301", engine.Input: "#a855f7", engine.Waiting: "#22c55e", engine.Working: "#3b82f6", engine.Prompting: "#3b82f6",
	engine.Asleep: "#6b7280", engine.Ended: "#4b5563",
}

// worst is the status that is to be seen to first.
func worst(s engine.Snapshot) string {
	if len(s.Sessions) == 0 {
		return "none"
	}
	first := s.Sessions[0].Status
	for _, one := range s.Sessions {
		if one.Status.Urgency() < first.Urgency() {
			first = one.Status
		}
	}
	return first.String()
}

// watchForm prints what the template makes of each state that makes another line.
func (s statusCmd) watchForm(ctx context.Context, c client, in Env, f form) error {
	b := board{all: s.All}
	last, begun := "", false
	show := func() error {
		text, err := f.fill(b.snapshot(), in.Now())
		if err != nil || begun && text == last {
			return err
		}
		last, begun = text, true
		return put(in.Stdout, []byte(text))
	}
	lost := false
	return s.events(ctx, c, func(e event) error {
		if err := b.apply(e); err != nil {
			return err
		}
		return show()
	}, func(err error) {
		if err != nil && !lost {
			fmt.Fprintf(in.Stderr, "deskbell: %s; waiting for it to come back\n", err)
		}
		lost = err != nil
	})
}
