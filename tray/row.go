package tray

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"deskbell/engine"
)

const (
	maxLine    = 48 // runes of a row; the title gives way
	maxProject = 24
	minTitle   = 8  // runes of a title that are left in any case
	maxAsk     = 80 // a runaway ask would make the menu wider than the screen
)

// gaps bring the ends of the words into line in a proportional font, as far as whole
// spaces can.
var gaps = map[engine.Status]int{
	engine.Approval: 4, engine.Input: 3, engine.Waiting: 3, engine.Working: 5, engine.Prompting: 5, engine.Idle: 12,
	engine.Connecting: 5, engine.Asleep: 7, engine.Ended: 8,
}

// row is the text of a session. Its title is cut to fit, never its status or
// what it asks. n tells it from others of the same project.
func row(s *engine.Session, n int, now time.Time, zone *time.Location) string {
	shape, word := s.Look()
	gap := gaps[s.Status]
	if s.Guess && s.NeedsYou {
		gap = max(1, gap-2)
	}
	head := shape + " " + word
	name := called(s, n)
	end := tail(s, now, zone)
	left := maxLine - length(head) - len("  ") - length(name) - len(": ") - length(end)
	line := head + strings.Repeat(" ", gap) + name
	if text := what(s, max(left, minTitle)); text != "" {
		line += ": " + text
	}
	return line + end
}

// called is the project, and what tells the session from others of it.
func called(s *engine.Session, n int) string {
	name := isolate(cut(project(s), maxProject))
	if n > 1 {
		name += " #" + strconv.Itoa(n)
	}
	return name
}

// what is what a session asks, what stopped it, or what it is about, the last
// cut to room.
func what(s *engine.Session, room int) string {
	asks := s.Status == engine.Approval || s.Status == engine.Input
	if ask := clean(s.Asking()); asks && ask != "" {
		if s.AsksBy != "" {
			ask = cut(clean(s.AsksBy), maxProject) + " (sub-agent): " + ask
		}
		ask = isolate(cut(ask, maxAsk))
		if s.AsksOpen > 1 {
			ask += fmt.Sprintf(" (+%d)", s.AsksOpen-1)
		}
		return ask
	}
	if s.Status == engine.Waiting && s.Trouble != "" {
		return cut(clean(s.Trouble.Words()), maxAsk)
	}
	return about(s, room)
}

// about is the title without the name of the project, cut to room.
func about(s *engine.Session, room int) string {
	_, title := split(clean(s.Title), project(s))
	return isolate(cut(title, room))
}

// tail is what follows the title: who works on, since when, what you filed it under.
func tail(s *engine.Session, now time.Time, zone *time.Location) string {
	var b strings.Builder
	var on []string
	for _, part := range []struct {
		n    int
		word string
	}{{running(s), "agent"}, {s.Shells, "shell"}} {
		switch {
		case part.n == 1:
			on = append(on, "1 "+part.word)
		case part.n > 1:
			on = append(on, fmt.Sprintf("%d %ss", part.n, part.word))
		}
	}
	if len(on) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(on, ", "))
	}
	if s.NeedsYou && !s.Since.IsZero() {
		b.WriteString(" · since " + clock(s.Since, now, zone))
	}
	var label string
	if s.Label != nil {
		label = s.Label.Name
	}
	for _, tag := range []string{label, s.Room, s.Peer} {
		if tag = cut(clean(tag), maxProject); tag != "" {
			b.WriteString(" · " + isolate(tag))
		}
	}
	return b.String()
}

// running counts the sub-agents at work.
func running(s *engine.Session) (n int) {
	for i := range s.Agents {
		if s.Agents[i].Status == "running" {
			n++
		}
	}
	return n
}

// clock is a time of day, with its date where that is not today's.
func clock(t, now time.Time, zone *time.Location) string {
	if zone == nil {
		zone = time.Local
	}
	t, now = t.In(zone), now.In(zone)
	switch days := now.Sub(t).Hours() / 24; {
	case t.YearDay() == now.YearDay() && t.Year() == now.Year():
		return t.Format("15:04")
	case days < 6:
		return t.Format("Mon 15:04")
	}
	return t.Format("2 Jan")
}

// project is what a session is called by.
func project(s *engine.Session) string {
	for _, name := range []string{s.Project, path.Base(strings.ReplaceAll(s.Dir, `\`, "/")), s.Tool} {
		if name = clean(name); name != "" && name != "." && name != "/" {
			return name
		}
	}
	return "session"
}

// split takes the project and the number off a title that was made of them.
func split(title, project string) (n int, rest string) {
	after, ok := strings.CutPrefix(title, project)
	if !ok {
		return 0, title
	}
	if tag, found := strings.CutPrefix(after, " #"); found {
		digits := tag[:len(tag)-len(strings.TrimLeft(tag, "0123456789"))]
		if k, err := strconv.Atoi(digits); err == nil {
			n, after = k, tag[len(digits):]
		}
	}
	if after == "" {
		return n, ""
	}
	if rest, ok = strings.CutPrefix(after, ": "); ok {
		return n, rest
	}
	return 0, title
}

// numbers tells sessions of one project apart. A session keeps the number in
// its title; the others take the numbers that are free, the oldest first. A list
// takes what those before it left.
func numbers(lists ...[]engine.Session) map[engine.ID]int {
	number := map[engine.ID]int{}
	taken := map[string]map[int]bool{}
	for _, all := range lists {
		var rest []*engine.Session
		for i := range all {
			s := &all[i]
			p := project(s)
			if taken[p] == nil {
				taken[p] = map[int]bool{}
			}
			n, _ := split(clean(s.Title), p)
			switch {
			case number[s.ID] > 0:
			case n == 0 || taken[p][n]:
				rest = append(rest, s)
			default:
				number[s.ID], taken[p][n] = n, true
			}
		}
		sortByAge(rest)
		for _, s := range rest {
			of := taken[project(s)]
			n := 1
			for of[n] {
				n++
			}
			number[s.ID], of[n] = n, true
		}
	}
	return number
}
