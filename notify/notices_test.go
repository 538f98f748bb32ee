package notify

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"deskbell/engine"
)

// told is notices, and what they asked of the rest of deskbell.
type told struct {
	*testing.T
	*Notices
	now   time.Time
	yes   bool // what Look answers
	known bool
	did   []string
	aside []func(context.Context)
	all   engine.Snapshot
}

func newTold(t *testing.T) *told {
	d := &told{T: t, Notices: NewNotices(NewSender(&screen{}, nil)), now: start}
	d.Look = func(_ context.Context, id engine.ID) (yes, known bool) {
		d.did = append(d.did, "look "+string(id))
		return d.yes, d.known
	}
	d.Seen = func(id engine.ID) { d.did = append(d.did, "seen "+string(id)) }
	d.Note = func(all ...engine.Moment) {
		for _, m := range all {
			d.did = append(d.did, fmt.Sprintf("%s %s", m.State, m.ID))
		}
	}
	d.Aside = func(do func(context.Context)) { d.aside = append(d.aside, do) }
	d.Do = func(_ context.Context, f func(time.Time)) {
		f(d.now)
		d.pass()
	}
	return d
}

// pass calls Tick as a loop does, and then has done what was to be done beside it.
func (d *told) pass(changes ...engine.Transition) (next time.Time) {
	next = d.Tick(d.now, engine.Step{Changes: changes}, d.all)
	for len(d.aside) > 0 {
		do := d.aside[0]
		d.aside = d.aside[1:]
		do(d.Context())
	}
	return next
}

// asks has sessions ask for something all at once, and time pass until they were told of.
func (d *told) asks(ids ...engine.ID) {
	for _, from := range []engine.Status{engine.Unknown, engine.Working} {
		var changes []engine.Transition
		d.now, d.all.Sessions = d.now.Add(time.Second), nil
		for _, id := range ids {
			s := engine.Session{ID: id, Status: engine.Working, Loud: engine.Loudly, Since: d.now, Dir: "/w/app"}
			if from == engine.Working {
				s.Status, s.NeedsYou = engine.Approval, true
			}
			d.all.Sessions = append(d.all.Sessions, s)
			changes = append(changes, engine.Transition{Session: s, From: from})
		}
		d.pass(changes...)
	}
	for range 4 {
		d.now = d.now.Add(time.Second / 2)
		d.pass()
	}
}

func (d *told) want(want ...string) {
	d.Helper()
	if !slices.Equal(d.did, want) {
		d.Errorf("got %q, want %q", d.did, want)
	}
	d.did = nil
}

// TestNotices checks that what the planner wants to know and to be known gets there and
// back.
func TestNotices(t *testing.T) {
	for _, tt := range []struct {
		name       string
		yes, known bool
		muted      []engine.Hush
		want       []string
	}{
		{"nobody can tell", false, false, nil, []string{"held s1", "look s1", "raised s1"}},
		{"you look elsewhere", false, true, nil, []string{"held s1", "look s1", "raised s1"}},
		{"you look at it", true, true, nil, []string{"held s1", "look s1", "held s1", "seen s1"}},
		{"its folder is muted", false, true, []engine.Hush{{Dir: "/w"}}, []string{"held s1"}},
		{"another is", false, true, []engine.Hush{{Dir: "/x"}}, []string{"held s1", "look s1", "raised s1"}},
		{"all is", false, true, []engine.Hush{{Dir: "/x"}, {}}, []string{"held s1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newTold(t)
			d.yes, d.known, d.all.Muted = tt.yes, tt.known, tt.muted
			d.asks("s1")
			d.want(tt.want...)
		})
	}
}

// TestAnswer checks whom a click on a notice is about: on that of several it opens the
// most urgent one.
func TestAnswer(t *testing.T) {
	d := newTold(t)
	d.asks("s1", "s2", "s3", "s4")
	for i := range d.all.Sessions {
		d.all.Sessions[i].Guess = i < 2
	}
	for _, tt := range []struct {
		e        Event
		sessions []engine.Session
		want     string
	}{
		{Event{ID: Together, Action: Open}, d.all.Sessions, "s3 []"},
		{Event{ID: Together, Action: Open}, nil, "s1 []"},
		{Event{ID: Together, Action: Mute}, d.all.Sessions, " [s1 s2 s3 s4]"},
		{Event{ID: Together, Action: Dismissed}, d.all.Sessions, " []"},
		{Event{ID: "s1", Action: Open}, d.all.Sessions, " []"}, // none of its own is up
	} {
		open, mute := d.Answer(d.now, tt.e, tt.sessions)
		if got := fmt.Sprint(open, " ", mute); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.e, got, tt.want)
		}
		if _, why, _ := d.State("s2"); tt.e.ID == Together && why != tt.e.Action.Why() {
			t.Errorf("%+v: State says %q", tt.e, why)
		}
	}
}
