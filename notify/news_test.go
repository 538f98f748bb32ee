package notify

import (
	"testing"
	"time"

	"deskbell/engine"
)

// TestNews checks that the journal is told of a notice what State says of it, once.
func TestNews(t *testing.T) {
	var p Planner
	now := start
	s := engine.Session{ID: "s1", Status: engine.Working, Loud: engine.Loudly}
	apply := func(after time.Duration, status engine.Status, changed bool) (news string) {
		t.Helper()
		now = now.Add(after)
		var changes []engine.Transition
		if changed {
			changes = []engine.Transition{{Session: s, From: s.Status}}
			s.Status, s.Since = status, now
			changes[0].Session = s
		}
		p.Apply(now, changes, Prefs{})
		for _, n := range p.News(now) {
			state, why, _ := p.State(n.Session.ID)
			if state != n.State || why != n.Why {
				t.Errorf("news %+v, state %s %s", n, state, why)
			}
			news += n.State + " " + n.Kind + " " + n.Why
		}
		return news
	}
	for _, step := range []struct {
		after   time.Duration
		status  engine.Status
		changed bool
		want    string
	}{
		{0, engine.Working, true, ""},
		{time.Second, engine.Approval, true, "held approval it may be over at once"},
		{100 * time.Millisecond, 0, false, ""},
		{time.Second, 0, false, "raised approval still open"},
		{time.Second, 0, false, ""},
		{time.Second, engine.Working, true, "withdrawn approval it needs you no more"},
		{time.Second, 0, false, ""},
	} {
		if got := apply(step.after, step.status, step.changed); got != step.want {
			t.Errorf("%v after %v: got %q, want %q", step.status, step.after, got, step.want)
		}
	}
}
