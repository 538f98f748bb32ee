// Package script runs text scenarios against an engine on a virtual clock.
//
// A script is a list of lines. A line that starts with +d lets the clock run d
// ahead first, waking the engine at every deadline on the way:
//
//	a listed busy pid=41 dir=/w/app   an event about the session with the CLI's id "a"
//	+2s a call slow id=t1             the same, two seconds later
//	a wrote at=-300ms                 an event that happened earlier than it arrived
//	- table 41:/w/app 42:/w/app       the table of processes, pid:folder[:id]; one is nobody's (loose.42),
//	                                  was started at some time (born.42=1m) and by another (parent.42=40)
//	- roster a:busy b:idle complete   a tool's own list of its sessions, and that it is all of it
//	a title busy moves form=⠋         the title of its terminal took that form
//	+8s                               just let time pass
//	expect s1 approval listing.asking status of our session s1, and the rule that decided
//	expect s1 hidden                  it is not shown
//	view s1 asks="Bash: ls" shells=1  parts of what the views see
//	changes s1 idle working waiting   the statuses it went through since the last such line
//	news s1 2                         how many changes of any kind it had since the last such line
//	next +2s                          the next deadline; "next never": none
//	asked s1 process                  a question was put to the sources
//	count 2                           how many live sessions there are
//	told by hook                      who tells what a transcript would, from here on
//	suspend 8h                        the machine sleeps
//	stall 29s                         the machine is loaded: no deadline is met on time
//	restart                           a new engine that has the memory of the old one, and is told by the
//	                                  journal what hooks told it; the rest is told again by the script
//	why s1                            followed by the indented verdict
//
// Everything after # is a comment. A failed expectation names its line.
package script

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"deskbell/engine"
)

// Start is the time on the clock when a script begins.
var Start = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)

type runner struct {
	log   func(format string, args ...any)
	now   time.Time
	e     *engine.Engine
	next  time.Time
	asked map[string]bool
	went  map[engine.ID][]string
	news  map[engine.ID]int
	rules map[string]bool
	by    engine.Witness // tells what a transcript would; Clock: the transcript
	fresh func() *engine.Engine
	hooks []engine.Line // what hooks told so far
	see   func(now time.Time, step engine.Step)
}

// Run plays one script against an engine that goes by rules and limits, and returns the
// names of the rules that decided in it. Transitions go to log. Each failed line goes to
// fail, which says whether to go on.
func Run(text string, rules []engine.Rule, limits engine.Limits, log func(format string, args ...any), fail func(error) bool) (decided []string) {
	return play(text, rules, limits, log, fail, func(time.Time, engine.Step) {})
}

// Follow plays a script against an engine as it is, and hands each step to see. It
// returns when the script ends, and the first line that failed.
func Follow(text string, see func(now time.Time, step engine.Step)) (end time.Time, err error) {
	log := func(string, ...any) {}
	play(text, engine.Rules(), engine.DefaultLimits(), log, func(e error) bool { err = e; return false }, func(now time.Time, step engine.Step) {
		see(now, step)
		end = now
	})
	return end, err
}

func play(text string, rules []engine.Rule, limits engine.Limits, log func(format string, args ...any), fail func(error) bool, see func(time.Time, engine.Step)) (decided []string) {
	fresh := func() *engine.Engine { return engine.NewWith(rules, limits) }
	r := &runner{
		log: log, see: see, now: Start, e: fresh(), fresh: fresh,
		asked: map[string]bool{}, went: map[engine.ID][]string{}, news: map[engine.ID]int{}, rules: map[string]bool{},
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = uncommented(line)
		words := split(line)
		if len(words) == 0 || line[0] == ' ' || line[0] == '\t' {
			continue
		}
		if err := r.line(words, indented(lines[i+1:])); err != nil && !fail(fmt.Errorf("line %d: %s: %w", i+1, strings.TrimSpace(line), err)) {
			break
		}
	}
	return slices.Sorted(maps.Keys(r.rules))
}

// uncommented is a line up to a # that begins a word outside quotes.
func uncommented(line string) string {
	quoted, before := false, ' '
	for i, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '#' && !quoted && (before == ' ' || before == '\t'):
			return line[:i]
		}
		before = c
	}
	return line
}

// split cuts a line into words; double quotes hold words together.
func split(line string) (words []string) {
	var word strings.Builder
	quoted := false
	for _, c := range line + " " {
		switch {
		case c == '"':
			quoted = !quoted
		case (c == ' ' || c == '\t') && !quoted:
			if word.Len() > 0 {
				words = append(words, word.String())
				word.Reset()
			}
		default:
			word.WriteRune(c)
		}
	}
	return words
}

func indented(lines []string) (block []string) {
	for _, l := range lines {
		if !strings.HasPrefix(l, "\t") && !strings.HasPrefix(l, "  ") {
			break
		}
		block = append(block, strings.Join(strings.Fields(l), " "))
	}
	return block
}

func (r *runner) line(words, block []string) error {
	if d, ok := strings.CutPrefix(words[0], "+"); ok {
		dur, err := time.ParseDuration(d)
		if err != nil {
			return err
		}
		if err := r.run(r.now.Add(dur)); err != nil {
			return err
		}
		if words = words[1:]; len(words) == 0 {
			return nil
		}
	}
	if check := checks[words[0]]; check != nil {
		return check(r, words[1:], block)
	}
	ev, err := event(words, r.now)
	if err != nil {
		return err
	}
	if ev.By == engine.Transcript && r.by != engine.Clock {
		ev.By = r.by
	}
	return r.apply(ev)
}

// run lets the clock go to until, stopping at every deadline.
func (r *runner) run(until time.Time) error {
	for !r.next.IsZero() && !r.next.After(until) {
		r.now = r.next
		if err := r.apply(); err != nil {
			return err
		}
	}
	r.now = until
	return nil
}

func (r *runner) apply(evs ...engine.Event) error {
	for _, ev := range evs {
		if ev.By == engine.Hook {
			r.hooks = append(r.hooks, engine.Line{Told: r.now, Event: ev})
		}
	}
	return r.pass(evs)
}

func (r *runner) pass(evs []engine.Event) error {
	step := r.e.Apply(r.now, evs...)
	r.see(r.now, step)
	for _, c := range step.Changes {
		r.news[c.Session.ID]++
		if c.From == c.Session.Status {
			continue
		}
		r.log("%v %s: %v -> %v (%s)", r.now.Sub(Start), c.Session.ID, c.From, c.Session.Status, c.Session.Reason.Rule)
		r.went[c.Session.ID] = append(r.went[c.Session.ID], c.Session.Status.String())
	}
	for _, s := range r.e.Snapshot(true).Sessions {
		r.rules[s.Reason.Rule] = true
	}
	for _, q := range step.Questions {
		r.asked[fmt.Sprint(q.Session, " ", asks[q.Ask])] = true
		if q.Ask == engine.AskProcess || q.Ask == engine.AskProcesses {
			r.rules["life.unscanned"] = true // it decides where nothing is shown
		}
	}
	r.next = step.Next
	if !r.next.IsZero() && !r.next.After(r.now) {
		r.next = time.Time{}
		return fmt.Errorf("the next deadline is %v ago", r.now.Sub(step.Next))
	}
	return nil
}

var asks = map[engine.Ask]string{engine.AskProcess: "process", engine.AskProcesses: "processes", engine.AskRecord: "record", engine.AskRecords: "records", engine.AskChildren: "children", engine.AskBearers: "bearers", engine.AskQuiet: "quiet", engine.AskSettings: "settings"}

func (r *runner) session(id string) (engine.Session, error) {
	for _, s := range r.e.Snapshot(true).Sessions {
		if string(s.ID) == id {
			return s, nil
		}
	}
	return engine.Session{}, fmt.Errorf("no session %s is shown", id)
}
