package engine

import (
	"slices"
	"time"
)

// Below is what is known of conversations that nobody attends: their hooks and their
// records come without a process, and are nobody's all the same (SPEC section 4).

// looseKept bounds the conversations that are known to be nobody's.
const looseKept = 64

// disown takes note that a process that nobody attends holds a conversation, unless a
// card has it: that goes on with it.
func (e *Engine) disown(w Who) {
	has := func(s *entry) bool { return s.who.Tool == w.Tool && s.who.ID == w.ID }
	if w.ID == "" || slices.ContainsFunc(e.order, has) {
		return
	}
	e.loose = slices.DeleteFunc(e.loose, func(o Who) bool { return o.Tool == w.Tool && o.ID == w.ID })
	e.loose = append(e.loose, w)
	e.loose = e.loose[max(0, len(e.loose)-looseKept):]
}

// disowned reports whether w tells of a conversation that is nobody's. It is somebody's
// once another process holds it.
func (e *Engine) disowned(w Who) bool {
	i := slices.IndexFunc(e.loose, func(o Who) bool { return o.Tool == w.Tool && o.ID == w.ID })
	switch {
	case w.ID == "" || i < 0:
		return false
	case w.PID != 0 && e.loose[i].PID != 0 && !w.same(e.loose[i]):
		e.loose = slices.Delete(e.loose, i, i+1)
		return false
	}
	return true
}

// attended are the runs of a table that somebody attends, and the others.
func attended(runs []Who) (those, loose []Who) {
	for _, run := range runs {
		if run.Loose {
			loose = append(loose, run)
		} else {
			those = append(those, run)
		}
	}
	return those, loose
}

// leftAlone disowns s, which has not been shown yet, if it is told by its folder that a
// process holds it that nobody attends: the one that was started last before s began.
// Where that is not known, one that somebody attends comes first.
func (e *Engine) leftAlone(s *entry, free, loose []Who) bool {
	if s.shown || s.recalled || s.who.ID == "" || s.facts.Elsewhere || !s.facts.Hooked.Never() {
		return false
	}
	began := e.wallTime(s.facts.First.At).UnixMilli()
	last := -1
	for i, run := range loose {
		if s.housedIn(run) && run.Born <= began && (last < 0 || run.Born > loose[last].Born) {
			last = i
		}
	}
	if last < 0 || slices.ContainsFunc(free, func(run Who) bool {
		return s.housedIn(run) && run.Born <= began && run.Born >= loose[last].Born
	}) {
		return false
	}
	w := loose[last]
	w.Tool, w.ID = s.who.Tool, s.who.ID
	e.drop(s)
	e.disown(w)
	return true
}

// housedIn reports whether run works where s does, and may hold its conversation.
func (s *entry) housedIn(run Who) bool {
	return run.Dir != "" && (run.Dir == s.who.Dir || run.Dir == s.view.BeganIn) && (run.ID == "" || run.ID == s.who.ID)
}

// seek has the processes of a tool looked at: one of them may hold w's conversation, of
// which nothing is known but its files, and those may be somebody else's.
func (e *Engine) seek(w Who) {
	key := w.Tool + "\x00" + w.ID
	if last, sought := e.shy[key]; sought && e.now.Sub(last) < e.limits[Scan] {
		return
	}
	if e.shy == nil || len(e.shy) >= looseKept {
		e.shy = map[string]time.Time{}
	}
	e.shy[key] = e.now
	e.wanted = append(e.wanted, Question{Ask: AskProcesses, Who: Who{Tool: w.Tool}})
}
