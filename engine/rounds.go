package engine

import "time"

// Rounds says when to look around for what no witness would report: while some
// session is not at rest, and never otherwise (SPEC section 11). Like the engine it
// is handed the time and returns the next moment it wants to be called.
type Rounds struct {
	last [len(rounds)]time.Time
}

// rounds are the looks, and how often each is due.
var rounds = [...]struct {
	ask   Ask
	every Limit
	new   bool // there was none at the start
	blind bool // only where the end of a process is not noticed by itself, and then at rest too
}{
	{ask: AskProcesses, every: Scan},
	{ask: AskFiles, every: Walk},
	{ask: AskMemory, every: Weigh, new: true},
	{ask: AskProcess, every: ProcessCheck, blind: true},
}

// Apply asks for the looks that are due at now, given the sessions there are; blind: the
// end of a process is not noticed by itself.
func (r *Rounds) Apply(now time.Time, l *Limits, sessions []Session, blind bool) (due []Question, next time.Time) {
	rest, live := true, false
	for i := range sessions {
		rest = rest && sessions[i].Status.AtRest()
		live = live || sessions[i].Status.Live() && sessions[i].PID != 0
	}
	for i, o := range rounds {
		last := &r.last[i]
		if last.IsZero() && !o.new {
			*last = now
		}
		if o.blind && !(blind && live) || !o.blind && rest {
			continue
		}
		if now.Sub(*last) >= l[o.every] || now.Before(*last) {
			*last = now
			due = append(due, o.ask.of(sessions)...)
		}
		if t := last.Add(l[o.every]); next.IsZero() || t.Before(next) {
			next = t
		}
	}
	return due, next
}

// of is what a look asks: once, or about the process of each session.
func (a Ask) of(sessions []Session) (all []Question) {
	if a != AskProcess {
		return []Question{{Ask: a}}
	}
	for i := range sessions {
		if s := &sessions[i]; s.Status.Live() && s.PID != 0 {
			all = append(all, Question{Ask: a, Session: s.ID, Who: Who{Tool: s.Tool, PID: s.PID}})
		}
	}
	return all
}
