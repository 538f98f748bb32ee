package raw

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// answerTime is how long the sources take to answer a question.
const answerTime = 2 * time.Millisecond

// answer is one that is about to be given.
type answer struct {
	at   time.Time
	give func(now time.Time) []engine.Event
}

// Ask has a question answered a little later, if anything was observed that it is about.
func (w *World) Ask(now time.Time, q engine.Question) {
	one := func(f func(now time.Time) engine.Event) func(time.Time) []engine.Event {
		return func(now time.Time) []engine.Event { return []engine.Event{f(now)} }
	}
	var give func(now time.Time) []engine.Event
	switch {
	case q.Ask == engine.AskRecord:
		give = func(time.Time) []engine.Event { return w.record(q.Who) }
	case q.Ask == engine.AskRecords:
		give = func(time.Time) []engine.Event { return w.records(q.Who) }
	case q.Ask == engine.AskSettings:
		give = func(now time.Time) []engine.Event { return w.mayAnswer(now, q.Who) }
	case !w.table.known:
		return
	case q.Ask == engine.AskProcess && q.Who.PID != 0:
		give = one(func(now time.Time) engine.Event { return w.process(now, q.Who) })
	case q.Ask == engine.AskQuiet && q.Who.PID != 0:
		give = one(func(now time.Time) engine.Event { return w.quiet(now, q.Who) })
	case q.Ask == engine.AskChildren && q.Who.PID != 0:
		give = one(func(now time.Time) engine.Event { return w.children(now, q) })
	case q.Ask == engine.AskBearers:
		give = one(func(now time.Time) engine.Event { return w.bearers(now, q) })
	case q.Ask == engine.AskProcesses:
		w.soon(now)
	}
	if give != nil {
		w.answers = append(w.answers, answer{now.Add(answerTime), give})
	}
}

// Next is when there is something to tell; zero: nothing.
func (w *World) Next() time.Time {
	next := w.window
	if !w.table.scan.IsZero() && (next.IsZero() || w.table.scan.Before(next)) {
		next = w.table.scan
	}
	if len(w.answers) > 0 && (next.IsZero() || w.answers[0].at.Before(next)) {
		next = w.answers[0].at
	}
	return next
}

// Looks reports whether a process table was observed: files tell of themselves.
func (w *World) Looks() bool { return w.table.known }

// Due returns what is to be told by now, one thing at a time.
func (w *World) Due(now time.Time) []engine.Event {
	switch {
	case len(w.answers) > 0 && !now.Before(w.answers[0].at):
		give := w.answers[0].give
		w.answers = w.answers[1:]
		return give(now)
	case !w.window.IsZero() && !now.Before(w.window):
		return w.readLogs()
	case !w.table.scan.IsZero() && !now.Before(w.table.scan):
		w.table.scan = time.Time{}
		return w.runs(now)
	}
	return nil
}

// record reads the files of one session from their beginning.
func (w *World) record(who engine.Who) (out []engine.Event) {
	c, err := w.cli(who.Tool)
	if err != nil {
		return nil
	}
	is := func(p place, glob string) bool {
		ok, _ := path.Match(glob, p.rel)
		return ok && p.tool == c.Name && (who.Home == "" || p.home == "" || who.Home == p.home)
	}
	for _, t := range c.Files {
		if t.Find == nil {
			continue
		}
		for _, glob := range t.Find(who) {
			for _, p := range sortedPlaces(w.logs) {
				if is(p, glob) {
					out = append(out, w.again(p)...)
				}
			}
			for _, p := range sortedPlaces(w.files) {
				if is(p, glob) {
					events, _ := w.read(p, nil) // what is wrong was told when it was taken
					out = append(out, events...)
				}
			}
		}
	}
	return append(out, w.againRows(c.Name, func(_ *sources.Table, ev engine.Event) bool { return ev.Who.ID == who.ID })...)
}

// records reads the logs that were written last, of those that say themselves whose they
// are.
func (w *World) records(who engine.Who) (out []engine.Event) {
	places := slices.SortedFunc(maps.Keys(w.logs), func(a, b place) int {
		return cmp.Or(w.logs[b].last.Compare(w.logs[a].last), strings.Compare(a.path(), b.path()))
	})
	for _, p := range places {
		begins := func(t sources.Tree) bool { return t.Begin != nil }
		if p.tool == who.Tool && (who.Home == "" || p.home == "" || who.Home == p.home) && slices.ContainsFunc(w.trees(p), begins) {
			out = append(out, w.again(p)...)
		}
	}
	return append(out, w.againRows(who.Tool, func(t *sources.Table, _ engine.Event) bool { return t.Old })...)
}

// mayAnswer tells what hooks in somebody's settings may do for him.
func (w *World) mayAnswer(now time.Time, who engine.Who) []engine.Event {
	c, err := w.cli(who.Tool)
	if err != nil || c.Answers == nil || len(w.files) == 0 {
		return nil
	}
	home := who.Home
	if home == "" {
		home = w.home
	}
	return []engine.Event{{At: now, By: engine.Listing, Who: who, Fact: c.Answers(home, who.Dir, w.settings(c.Name, home))}}
}
