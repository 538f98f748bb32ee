package engine_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/engine/script"
)

// A mutant is the rule book with one thing changed.
type mutant struct {
	what   string
	row    string // the row that was changed
	rules  []engine.Rule
	limits engine.Limits
}

// mutants changes each row in every way that can be wrong: it is left out, a weight
// surer or less sure, begins to speak at another time, for another length, rings
// differently, is never silenced or called something else.
func mutants() (out []mutant) {
	book := engine.Rules()
	for i, r := range book {
		add := func(what string, change func(*engine.Rule)) {
			rules := slices.Clone(book)
			change(&rules[i])
			out = append(out, mutant{what, r.Name, rules, engine.DefaultLimits()})
		}
		if r.Says != engine.Idle || i != len(book)-1 { // without the last row there is no verdict
			out = append(out, mutant{"left out", r.Name, slices.Delete(slices.Clone(book), i, i+1), engine.DefaultLimits()})
		}
		for _, w := range []engine.Weight{r.Weight - 1, r.Weight + 1} {
			if w <= engine.Inferred {
				out = append(out, mutant{w.String(), r.Name, weighed(book, i, w), engine.DefaultLimits()})
			}
		}
		for _, l := range []engine.Loud{engine.Silent, engine.Guessed, engine.Loudly} {
			if l != r.Loud && r.Says.NeedsYou() {
				add(fmt.Sprintf("loud %d", l), func(r *engine.Rule) { r.Loud = l })
			}
		}
		if r.After != engine.Always {
			add("at once", func(r *engine.Rule) { r.After = engine.Always })
		}
		if r.For != engine.Always {
			add("for ever", func(r *engine.Rule) { r.For = engine.Always })
		}
		if r.Unless != nil {
			add("never silenced", func(r *engine.Rule) { r.Unless = nil })
		}
		if r.Trouble != "" {
			add("no trouble", func(r *engine.Rule) { r.Trouble = "" })
		}
	}
	limits := engine.DefaultLimits()
	for l := range limits {
		switch engine.Limit(l) {
		case engine.Scan, engine.ProcessCheck, engine.Walk: // of the rounds, see TestRounds
			continue
		}
		for _, by := range []float64{0.95, 1.05} {
			changed := limits
			changed[l] = time.Duration(float64(changed[l]) * by)
			if changed[l] != limits[l] {
				out = append(out, mutant{fmt.Sprint(by, " of ", engine.Limit(l)), "", book, changed})
			}
		}
	}
	return out
}

// weighed is the book with row i at another weight: the last of the surer ones, or the
// first of the others.
func weighed(book []engine.Rule, i int, w engine.Weight) []engine.Rule {
	r := book[i]
	surer := w < r.Weight
	r.Weight = w
	out := slices.Delete(slices.Clone(book), i, i+1)
	at := slices.IndexFunc(out, func(o engine.Rule) bool { return surer && o.Weight > w || !surer && o.Weight >= w })
	if at < 0 {
		at = len(out)
	}
	return slices.Insert(out, at, r)
}

// TestEachRowMatters checks that whatever is changed in the table of rules or limits, a
// scenario notices.
func TestEachRowMatters(t *testing.T) {
	texts := scripts(t)
	names := slices.Sorted(maps.Keys(texts))
	decided := map[string]map[string]bool{} // by script, the rules that decide in it
	for _, name := range names {
		decided[name] = map[string]bool{}
		for _, rule := range script.Run(texts[name], engine.Rules(), engine.DefaultLimits(), mute, func(err error) bool { t.Fatalf("%s fails as it is: %v", name, err); return false }) {
			decided[name][rule] = true
		}
	}
	for _, m := range mutants() {
		order := slices.Clone(names)
		slices.SortStableFunc(order, func(a, b string) int { // those in which the row decides are likely to notice
			return cmp.Compare(first(decided[b][m.row]), first(decided[a][m.row]))
		})
		if !slices.ContainsFunc(order, func(name string) bool { return notices(texts[name], m) }) {
			t.Errorf("%s: %s, and no scenario notices", cmp.Or(m.row, "limits"), m.what)
		}
	}
}

func first(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func mute(string, ...any) {}

// notices reports whether a script fails with m.
func notices(text string, m mutant) (failed bool) {
	defer func() { failed = failed || recover() != nil }() // a row that others name is gone
	script.Run(text, m.rules, m.limits, mute, func(error) bool { failed = true; return false })
	return failed
}
