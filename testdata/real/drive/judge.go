package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// verdict is what came of a scenario.
type verdict struct {
	Expected, Seen []string
	Times          []string
	Wrong          []string // empty: as expected
}

// witnessed is what the witnesses saw of one run.
type witnessed struct {
	Cards []card
	PIDs  map[string]int // of the panes
	Rings []notice
	Open  []notice
	Marks map[string]time.Time
}

// judge compares what was seen with what the scenario expects.
func judge(s *scenario, seen witnessed) (v verdict) {
	if len(seen.Cards) != s.Count {
		v.Wrong = append(v.Wrong, fmt.Sprintf("%d cards, want %d", len(seen.Cards), s.Count))
	}
	left := slices.Clone(seen.Cards)
	for _, name := range panes(s) {
		c := claim(&left, seen.PIDs[name])
		v.card(name, s, c, seen.Marks)
	}
	for _, c := range left {
		v.Seen = append(v.Seen, "? "+c.statuses())
	}
	v.rings(s, seen)
	return v
}

// panes returns the panes with a card, the named ones in the order of their names.
func panes(s *scenario) (names []string) {
	for name := range s.Cards {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// claim takes the card of a process out of left: the first one where the pid is
// not known (a background job has no pane).
func claim(left *[]card, pid int) card {
	i := slices.IndexFunc(*left, func(c card) bool { return pid == 0 || c.had("pid", fmt.Sprint(pid)) })
	if i < 0 {
		return card{}
	}
	c := (*left)[i]
	*left = slices.Delete(*left, i, i+1)
	return c
}

func (v *verdict) card(name string, s *scenario, c card, marks map[string]time.Time) {
	wants := s.Cards[name]
	c.Moves = settle(c.Moves)
	v.Expected = append(v.Expected, describe(wants))
	v.Seen = append(v.Seen, c.statuses())
	took, ok := align(wants, c.Moves)
	if !ok {
		v.Wrong = append(v.Wrong, fmt.Sprintf("@%s: other statuses than expected", name))
	}
	for _, t := range took {
		v.Wrong = append(v.Wrong, missing(t.status, t.move)...)
		v.timing(t.Timing, t.Name, t.At, marks)
	}
	ids := max(s.IDs[name], 1)
	if n := len(c.values("session_id")); len(c.Moves) > 0 && n != ids {
		v.Wrong = append(v.Wrong, fmt.Sprintf("@%s: %d session ids, want %d", name, n, ids))
	}
}

// settle leaves out a prompting that became working at once: whether it is seen
// depends on who tells first.
func settle(moves []move) (kept []move) {
	for i, m := range moves {
		if m.Status == "prompting" && i+1 < len(moves) && moves[i+1].Status == "working" {
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// taken is a move and the expected status it was.
type taken struct {
	status
	move
}

// align finds the moves that the wants describe, all of them and no other.
func align(wants []want, moves []move) ([]taken, bool) {
	if len(wants) == 0 {
		return nil, len(moves) == 0
	}
	w, n := wants[0], len(wants[0].Statuses)
	if len(moves) >= n && slices.EqualFunc(w.Statuses, moves[:n], func(s status, m move) bool { return s.Name == m.Status }) {
		if rest, ok := align(wants[1:], moves[n:]); ok {
			var these []taken
			for i, st := range w.Statuses {
				these = append(these, taken{st, moves[i]})
			}
			return append(these, rest...), true
		}
	}
	if w.Optional {
		return align(wants[1:], moves)
	}
	return nil, false
}

// missing lists what should have held during a move and did not, in this order.
func missing(st status, m move) (wrong []string) {
	i := 0
	for _, f := range st.Holds {
		found := slices.IndexFunc(m.Versions[i:], func(s session) bool { return strings.Contains(s.text(f.Key), f.Text) })
		if found < 0 {
			wrong = append(wrong, fmt.Sprintf("%s without %s=%s", st.Name, f.Key, f.Text))
			continue
		}
		i += found
	}
	return wrong
}

func (v *verdict) timing(t Timing, name string, at time.Time, marks map[string]time.Time) {
	if t.After == "" {
		return
	}
	mark, ok := marks[t.After]
	if !ok {
		v.Wrong = append(v.Wrong, "no step is labelled "+t.After)
		return
	}
	took := at.Sub(mark)
	v.Times = append(v.Times, fmt.Sprintf("%s→%s %+.0f ms", t.After, name, ms(took)))
	if t.From != 0 && took < t.From || t.Within != 0 && took > t.Within {
		v.Wrong = append(v.Wrong, fmt.Sprintf("%s came %.0f ms after %s, want %v to %v", name, ms(took), t.After, t.From, t.Within))
	}
}

func (v *verdict) rings(s *scenario, seen witnessed) {
	var want, got []string
	for i, r := range s.Rings {
		want = append(want, r.Kind)
		if i < len(seen.Rings) && seen.Rings[i].Kind == r.Kind {
			v.timing(r.Timing, "notice", seen.Rings[i].At, seen.Marks)
		}
	}
	for _, n := range seen.Rings {
		got = append(got, n.Kind)
	}
	v.Expected = append(v.Expected, "rings: "+list(want))
	v.Seen = append(v.Seen, "rings: "+list(got))
	if !slices.Equal(want, got) {
		v.Wrong = append(v.Wrong, "other notices than expected")
	}
	for _, n := range seen.Open {
		if n.Kind != "other" && !slices.ContainsFunc(seen.Cards, func(c card) bool { return c.last() == n.Kind }) {
			v.Wrong = append(v.Wrong, "a notice stays open: "+n.Kind)
		}
	}
}
