package notify

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

// The scenarios in testdata/plan are played with a virtual clock. A line is
//
//	+DUR s1 STATUS KEY=VALUE ... ; s2 ...    DUR passes, then these change together
//	gone s1                                  the engine forgets it
//	closed ID ACTION                         that happened to the notice
//	known s1                                 you turned to it
//	about ID s1 s2 ...                       whom the notice must be about
//	looked s1 yes|no [AGO]                   whether you look at it, as of now or some time ago
//	prefs KEY=VALUE ...                      from now on
//	state s1 STATE WHY...                    what Planner.State must say
//	next DUR | never                         when the planner wants to be called next
//	-> TIME raise|change|text ID KIND [sound] [stays] [critical] [again=N] "TITLE" "BODY"
//	-> TIME withdraw ID
//	-> TIME look|seen s1 ...                 whom the planner wants looked at, or takes for seen
//
// Between lines the planner is called at each moment it asks for, as the loop
// does. The lines with an arrow are all that happens, in order. Values have _ for
// a blank; times are in seconds since the start.
func TestPlan(t *testing.T) {
	files, err := filepath.Glob("testdata/plan/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scenarios", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			play(t, string(text))
		})
	}
}

var start = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

type player struct {
	t     *testing.T
	plan  Planner
	prefs Prefs
	now   time.Time
	next  time.Time
	last  map[engine.ID]engine.Session
	out   []string
}

func play(t *testing.T, text string) {
	p := &player{t: t, now: start, last: map[engine.ID]engine.Session{}, prefs: Prefs{Zone: time.UTC, Words: Words{Home: "/home/dev"}}}
	scenes := strings.Split(text, "\n---\n")
	for n, scene := range scenes {
		if n > 0 {
			p.quiet(0, "---")
			p = &player{t: t, now: start, last: map[engine.ID]engine.Session{}, prefs: Prefs{Zone: time.UTC, Words: Words{Home: "/home/dev"}}}
		}
		for i, line := range strings.Split(scene, "\n") {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				p.line(i+1, line)
			}
		}
	}
	p.quiet(0, "the end")
}

func (p *player) line(n int, line string) {
	p.t.Helper()
	if want, ok := strings.CutPrefix(line, "->"); ok {
		if len(p.out) == 0 {
			p.t.Fatalf("line %d: nothing happened, want %s", n, want)
		}
		if got := p.out[0]; got != strings.TrimSpace(want) {
			p.t.Fatalf("line %d:\n got %s\nwant%s", n, got, want)
		}
		p.out = p.out[1:]
		return
	}
	f := strings.Fields(line)
	switch f[0] {
	case "state":
		state, why, _ := p.plan.State(engine.ID(f[1]))
		if got := strings.TrimSpace(state + " " + why); got != strings.Join(f[2:], " ") {
			p.t.Fatalf("line %d: got state %q, want %q", n, got, f[2:])
		}
		return
	case "about":
		var got []string
		for _, id := range p.plan.About(engine.ID(f[1])) {
			got = append(got, string(id))
		}
		if !slices.Equal(got, f[2:]) {
			p.t.Fatalf("line %d: it is about %q, want %q", n, got, f[2:])
		}
		return
	case "next":
		got := "never"
		if !p.next.IsZero() {
			got = p.next.Sub(p.now).String()
		}
		if got != f[1] {
			p.t.Fatalf("line %d: got next %s, want %s", n, got, f[1])
		}
		return
	}
	p.quiet(n, line)
	switch f[0] {
	case "prefs":
		for _, kv := range f[1:] {
			p.pref(kv)
		}
		return
	case "gone":
		for _, id := range f[1:] {
			p.plan.Gone(engine.ID(id))
		}
		p.apply(nil)
		return
	case "closed":
		p.plan.Closed(p.now, engine.ID(f[1]), Action(f[2]))
		return
	case "known":
		p.plan.Known(p.now, engine.ID(f[1]))
		return
	case "looked":
		at := p.now
		if len(f) > 3 {
			ago, err := time.ParseDuration(f[3])
			if err != nil {
				p.t.Fatalf("line %d: %v", n, err)
			}
			at = at.Add(-ago)
		}
		p.plan.Looked(engine.ID(f[1]), f[2] == "yes", at)
		p.apply(nil)
		return
	}
	d, err := time.ParseDuration(strings.TrimPrefix(f[0], "+"))
	if err != nil {
		p.t.Fatalf("line %d: %v", n, err)
	}
	to := p.now.Add(d)
	for !p.next.IsZero() && !p.next.After(to) {
		if !p.next.After(p.now) {
			p.t.Fatalf("line %d: at %s next is %s", n, p.at(p.now), p.at(p.next))
		}
		p.now = p.next
		p.apply(nil)
	}
	p.now = to
	var changes []engine.Transition
	for _, change := range strings.Split(strings.TrimSpace(line[len(f[0]):]), ";") {
		if words := strings.Fields(change); len(words) > 0 {
			changes = append(changes, p.change(n, words))
		}
	}
	if len(changes) > 0 {
		p.apply(changes)
	}
}

// quiet fails if something happened that no line expects.
func (p *player) quiet(n int, line string) {
	p.t.Helper()
	if len(p.out) > 0 {
		p.t.Fatalf("before line %d (%s): unexpected\n%s", n, line, strings.Join(p.out, "\n"))
	}
}

func (p *player) at(t time.Time) string {
	return strconv.FormatFloat(t.Sub(start).Seconds(), 'f', -1, 64)
}

func (p *player) apply(changes []engine.Transition) {
	raise, withdraw, next := p.plan.Apply(p.now, changes, p.prefs)
	p.next = next
	for _, wish := range []struct {
		verb string
		ids  []engine.ID
	}{{"look", p.plan.Look()}, {"seen", p.plan.Seen()}} {
		if len(wish.ids) > 0 {
			p.out = append(p.out, fmt.Sprintf("%s %s %s", p.at(p.now), wish.verb, strings.Trim(fmt.Sprint(wish.ids), "[]")))
		}
	}
	for _, id := range withdraw {
		p.out = append(p.out, fmt.Sprintf("%s withdraw %s", p.at(p.now), id))
	}
	for _, n := range raise {
		verb := "raise"
		switch {
		case n.Silent && !n.Replaces, n.Silent && n.Sound:
			p.t.Fatalf("a silent notice that is none: %+v", n)
		case n.Silent:
			verb = "text"
		case n.Replaces:
			verb = "change"
		}
		line := fmt.Sprintf("%s %s %s %s", p.at(p.now), verb, n.ID, n.Kind)
		if n.Sound {
			line += " sound"
		}
		if n.Stays {
			line += " stays"
		}
		if n.Critical {
			line += " critical"
		}
		if n.Reminder > 0 {
			line += fmt.Sprint(" again=", n.Reminder)
		}
		p.out = append(p.out, fmt.Sprintf("%s %q %q", line, n.Title, n.Body))
	}
}

// change is one session as it looks from now on. What is not named stays.
func (p *player) change(n int, words []string) engine.Transition {
	id := engine.ID(words[0])
	s, known := p.last[id]
	if !known {
		names := map[engine.ID]string{"s1": "app", "s2": "api", "s3": "web", "s4": "docs", "s5": "infra", "s6": "shop"}
		s = engine.Session{ID: id, Tool: "claude", Project: names[id], Dir: "/home/dev/" + names[id], Loud: engine.Loudly}
	}
	from := s.Status
	s.Old = from == engine.Unknown
	for _, w := range words[1:] {
		key, val, found := strings.Cut(w, "=")
		val = strings.ReplaceAll(val, "_", " ")
		if !found {
			if err := s.Status.UnmarshalText([]byte(w)); err != nil {
				p.t.Fatalf("line %d: %v", n, err)
			}
			if s.Status != from {
				s.Since, s.Loud, s.Guess, s.Trouble = p.now, engine.Loudly, false, ""
			}
			s.NeedsYou = s.Status.NeedsYou()
			continue
		}
		when := start
		if d, err := time.ParseDuration(val); err == nil {
			when = start.Add(d)
		}
		on := val == "yes"
		switch key {
		case "from":
			if err := from.UnmarshalText([]byte(val)); err != nil {
				p.t.Fatal(err)
			}
		case "new": // it happened after the session was heard of
			s.Old = false
		case "asks":
			s.Asks = val
		case "by":
			s.AsksBy = val
		case "open":
			s.AsksOpen, _ = strconv.Atoi(val)
		case "dialog":
			s.Dialog = val
		case "trouble":
			s.Trouble = engine.Trouble(strings.ReplaceAll(val, " ", "_"))
		case "guess":
			s.Guess, s.Loud = on, engine.Loudly
			if on {
				s.Loud = engine.Guessed
			}
		case "loud":
			s.Loud = engine.Loud(slices.Index([]string{"no", "guess", "yes"}, val))
		case "reports":
			s.Reports = on
		case "answers":
			s.Answers = on
		case "muted":
			s.Muted = on
			if s.MutedUntil = (time.Time{}); val != "yes" && val != "no" {
				s.Muted, s.MutedUntil = true, when
			}
		case "alert":
			s.Alert = on
		case "dir":
			s.Dir = val
		case "began":
			s.BeganIn = val
		case "peer":
			s.Peer = val
		case "title":
			s.Title = val
		case "spoke":
			s.Spoke = when
			if val == "never" {
				s.Spoke = time.Time{}
			}
		case "turn":
			s.Turn = when
		case "since":
			s.Since = when
		default:
			p.t.Fatalf("line %d: what is %q?", n, w)
		}
	}
	p.last[id] = s
	return engine.Transition{Session: s, From: from}
}
