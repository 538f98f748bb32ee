package engine

import "time"

// asking is one kind of question a session raises. It is put once for each Who
// for which it is due; no answer holds everything as it is.
var asking = [...]struct {
	ask Ask
	due func(s *entry) bool
	who func(w Who) Who // the part of Who the question depends on
}{
	{AskProcess, func(s *entry) bool { return s.who.PID != 0 },
		func(w Who) Who { return Who{Tool: w.Tool, PID: w.PID, Ticks: w.Ticks, Domain: w.Domain} }},
	{AskProcesses, func(s *entry) bool { return !s.facts.Tied && (s.facts.Vouched.Never() || !s.facts.Alive) },
		func(w Who) Who { return Who{Tool: w.Tool} }},
	{AskRecord, func(s *entry) bool {
		return s.who.ID != "" && (s.facts.Alive || s.facts.Elsewhere || s.facts.Enrolled && !s.facts.Tied)
	},
		func(w Who) Who { return Who{Tool: w.Tool, ID: w.ID, Home: w.Home} }},
	{AskRecords, func(s *entry) bool { return s.who.ID == "" && s.facts.Alive && s.who.Dir != "" },
		func(w Who) Who { return Who{Tool: w.Tool, PID: w.PID, Ticks: w.Ticks, Home: w.Home} }},
	{AskSettings, func(s *entry) bool { return s.who.ID != "" && !s.facts.Present.Never() && len(s.facts.Marks) == 0 },
		func(w Who) Who { return Who{Tool: w.Tool, ID: w.ID, Home: w.Home} }},
}

// inquiriesKept bounds the questions that are remembered so as not to be put twice.
const inquiriesKept = 64

// inquire puts the question of the row that decides, once for each time it begins to
// speak. No answer holds everything as it is.
func (e *Engine) inquire(s *entry, v Verdict) (out []Question) {
	sig := v.For[0]
	ask := e.book.rule(sig.Rule).Ask
	row := sig.Rule + " " + sig.Key
	if ask == Nothing || s.who.PID == 0 && ask != AskSettings && ask != AskBearers || !sig.Since.After(s.inquired[row]) {
		return nil
	}
	if s.inquired == nil || len(s.inquired) >= inquiriesKept {
		s.inquired = map[string]time.Time{}
	}
	s.inquired[row] = sig.Since
	q := Question{Ask: ask, Session: s.view.ID, Who: s.who, Call: sig.Key}
	if c := s.facts.Calls[sig.Key]; c != nil {
		q.Since = e.wallTime(c.Opened.At)
	}
	return []Question{q}
}

// rewritten reports whether a session that no process vouched for was written to since
// it was looked for, or one whose process has gone is on its tool's list again: it has to
// be looked for again.
func (s *entry) rewritten() bool {
	f := &s.facts
	last := f.Wrote
	if f.Tied {
		last = when(f.Enrolled, f.MarkedBy)
	}
	if f.Alive || f.Elsewhere || f.Vouched.Never() || !last.At.After(f.Vouched.At) || s.sought == f.Vouched.At {
		return false
	}
	s.sought = f.Vouched.At
	return true
}

func (s *entry) questions() (out []Question) {
	for _, q := range asking {
		who := q.who(s.who)
		again := q.ask == AskProcesses && s.rewritten()
		if again {
			s.asked[q.ask] = Who{}
		}
		if (again || q.due(s)) && s.asked[q.ask] != who {
			s.asked[q.ask] = who
			who.Dir = s.who.Dir
			out = append(out, Question{Ask: q.ask, Session: s.view.ID, Who: who})
		}
	}
	return out
}
