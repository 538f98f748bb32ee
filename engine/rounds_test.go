package engine

import (
	"testing"
	"time"
)

// TestRounds checks that the looks keep their beat (C74), and cost nothing at rest.
func TestRounds(t *testing.T) {
	l := DefaultLimits()
	var r Rounds
	start := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	rest, work := []Session{{Status: Idle}, {Status: Waiting}, {Status: Asleep}}, []Session{{Status: Idle}, {Status: Approval}}

	if due, next := r.Apply(start, &l, rest, false); due != nil || !next.IsZero() {
		t.Errorf("at rest: due %v, next %v", due, next)
	}
	var looks [asks]int
	now := start
	for now.Sub(start) < 2*time.Minute {
		due, next := r.Apply(now, &l, work, false)
		for _, q := range due {
			looks[q.Ask]++
		}
		if !next.After(now) {
			t.Fatalf("at %v: next %v", now, next)
		}
		now = next
	}
	if looks[AskProcesses] != 5 || looks[AskFiles] != 1 || looks[AskMemory] != 2 {
		t.Errorf("in two minutes %d scans, %d walks and %d looks at memory, want 5, 1 and 2", looks[AskProcesses], looks[AskFiles], looks[AskMemory])
	}
	idle := []Session{{ID: "s1", Tool: "toy", Status: Idle, PID: 41}, {Status: Idle}, {Status: Ended, PID: 42}}
	if due, next := r.Apply(now.Add(30*time.Minute), &l, idle, true); len(due) != 1 || due[0] != (Question{Ask: AskProcess, Session: "s1", Who: Who{Tool: "toy", PID: 41}}) || next.Sub(now) != 30*time.Minute+15*time.Second {
		t.Errorf("blind: due %v, next %v", due, next)
	}
	if due, next := r.Apply(now.Add(time.Hour), &l, rest, false); due != nil || !next.IsZero() {
		t.Errorf("at rest again: due %v, next %v", due, next)
	}
	if due, _ := r.Apply(now.Add(2*time.Hour), &l, work, false); len(due) != 3 {
		t.Errorf("after a long rest: due %v, want all three", due)
	}
}
