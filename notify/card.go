package notify

import (
	"cmp"
	"time"

	"deskbell/engine"
)

// place is where the notice of a session is.
type place uint8

const (
	nowhere  place = iota
	alone          // it has its own
	together       // it is one of several
	away           // it is one of those that came in quiet hours
)

// The states of a notice, in the words of the API.
const (
	Raised    = "raised"
	Withdrawn = "withdrawn"
	Held      = "held"
)

// card is what the planner remembers of one session. What the session asks of
// you from entering a status until leaving it is one event.
type card struct {
	s     engine.Session // as last seen
	gone  bool
	terms terms // of the Apply under way

	entered time.Time // when the event began
	first   bool      // it had begun before the session was first heard of
	summary bool      // ... as a dialog, at the start

	from    time.Time // since when the event settles
	decided bool      // it was told, or passed over for good
	told    bool      // it rang, or you were looking
	hushed  bool      // it waits for the end of quiet hours

	asked, looked time.Time // when it was asked whether you look at it, and when somebody looked last
	looking       bool      // ... and what was seen
	asks, saw     bool      // it is asked, or you were seen to look, right now

	alert    time.Time // since when the session is an alert
	reminded int       // how often the event was told again
	done     bool      // it needs no reminder: you know

	place place
	as    engine.Session // what its notice shows: an event not told yet shows nothing
	rang  time.Time
	fresh bool // it rings right now

	prompt   time.Time // human prompts up to then had their "your turn"
	troubled time.Time // the turn whose trouble was told
	quick    int       // approvals in a row that cleared themselves

	state, why string
	at         time.Time
}

// see takes in what the session looks like now.
func (c *card) see(now time.Time, s engine.Session) {
	old := c.s
	switch {
	case old.ID == "", s.Status != old.Status, again(&old, &s):
		c.leave(now, &s)
		c.s = s
		c.entered, c.from = now, now
		c.first, c.summary, c.decided, c.told = s.Old, false, false, false
		c.hushed, c.asked, c.reminded, c.done = false, time.Time{}, 0, false
	default:
		c.s = s
		if !c.told && weighs(&old, &s) {
			c.decided = false
		}
		if guess(&old) && !guess(&s) {
			c.from, c.asked = now, time.Time{} // what is told settles by itself
		}
	}
	if c.first && rests(s.Status) || c.told && s.Status == engine.Waiting && !s.Spoke.After(s.Since) {
		c.prompt = later(c.prompt, s.Spoke) // answered before we looked, or told
	}
	if k := kindOf(&s); c.told && k != nil && k.Name == Trouble {
		c.troubled = s.Turn
	}
}

// leave closes the event that next ends.
func (c *card) leave(now time.Time, next *engine.Session) {
	k := kindOf(&c.s)
	if k == nil {
		return
	}
	switch {
	case c.hushed:
		c.say(Held, overByThen, now)
	case !c.decided:
		c.say(Held, brief, now)
	}
	switch c.s.Status {
	case engine.Approval:
		if lasted := now.Sub(c.entered); lasted >= quick.Within {
			c.quick = 0
		} else if next.Status == engine.Working && !c.first && (c.place != nowhere || !c.told) { // you answered what you looked at
			c.quick++
		}
	case engine.Waiting:
		if c.decided && k.Name == Waiting && (c.told || c.s.Loud != engine.Silent && !guess(&c.s) || c.s.Trouble != "") {
			c.answered()
		}
	}
}

// answered notes that the human prompts so far had their "your turn".
func (c *card) answered() {
	if c.s.Spoke.IsZero() || c.s.Spoke.After(c.s.Since) { // the next prompt is there already, and not answered
		c.prompt = later(c.prompt, c.s.Since)
		return
	}
	c.prompt = later(c.prompt, c.s.Spoke)
}

// face is what the notice of c shows.
func (c *card) face() *engine.Session {
	if c.told {
		c.as = c.s
	}
	return &c.as
}

// tell notes that you know of the event now.
func (c *card) tell() {
	c.told, c.decided, c.hushed = true, true, false
	switch kindOf(&c.s).Name {
	case Waiting:
		c.answered()
	case Trouble:
		c.troubled = c.s.Turn
	}
}

// open are the words for a notice that is on the screen, by where it is.
var open = map[place]string{
	alone:    "still open",
	together: "still open, as one of several",
	away:     "still open, as one of those you missed",
}

// ring notes that the event is told now.
func (c *card) ring(now time.Time, p place) {
	c.tell()
	c.place, c.rang, c.fresh = p, now, true
	why := open[p]
	if c.reminded > 0 {
		why = "still open, and you were reminded"
	}
	c.say(Raised, why, now)
}

// down takes the notice of c off the screen.
func (c *card) down(now time.Time, why string) {
	if c.place == nowhere {
		return
	}
	c.place = nowhere
	c.say(Withdrawn, why, now)
}

// decide looks what is to become of c. It rings if it is due by now; else due,
// unless zero, is when to look again.
func (c *card) decide(t *terms) (due time.Time, rings bool) {
	k := kindOf(&c.s)
	if !t.alert {
		c.alert = time.Time{}
	} else if c.alert.IsZero() {
		c.alert = t.now
	}
	if k == nil {
		c.down(t.now, over(c.s.Status))
		return due, false
	}
	if c.decided && !c.told {
		return due, false
	}
	if why := allowed(c, k, t); why != "" {
		c.down(t.now, why)
		c.decided, c.done, c.hushed = true, true, false
		if !c.told {
			c.say(Held, why, t.now)
		}
		return due, false
	}
	if c.told {
		return c.remind(t)
	}
	return c.settle(k, t)
}

// settle is decide for an event that is not told yet.
func (c *card) settle(k *kind, t *terms) (due time.Time, rings bool) {
	settle, why := settling(c, k)
	due = c.from.Add(settle)
	if end, quiet := t.hush(later(due, t.now)); quiet && (!t.alert || c.hushed) {
		if !t.now.Before(due) {
			c.down(t.now, another)
			c.hushed, due = true, end
			c.say(Held, hushed, t.now)
			return due, false
		}
	} else if !c.hushed {
		due = c.look(due, t)
	}
	switch {
	case !t.now.Before(due) && c.watched(t):
		c.down(t.now, another)
		c.tell()
		c.done, c.saw = true, true
		c.say(Held, watched, t.now)
		return time.Time{}, false
	case !t.now.Before(due):
		return due, true
	case why != "":
		c.down(t.now, another) // the next notice may take long
	default:
		why = soon
	}
	c.say(Held, why, t.now)
	return due, false
}

// remind is decide for an event that was told: an alert is told again.
func (c *card) remind(t *terms) (due time.Time, rings bool) {
	every := t.Remind
	if every == 0 {
		every = reminders.Every
	}
	if !t.alert || c.done || c.reminded >= cmp.Or(t.RemindMost, reminders.Most) || every < 0 {
		return due, false
	}
	if due = later(c.rang, c.alert).Add(every); t.now.Before(due) {
		return due, false
	}
	c.reminded++
	return due, true
}

func (c *card) say(state, why string, now time.Time) {
	if c.state == state && c.why == why {
		return
	}
	c.state, c.why, c.at = state, why, now
}

// over says why a session that shows s needs no notice.
func over(s engine.Status) string {
	if s == engine.Ended || s == engine.Unknown {
		return "the session is over"
	}
	return "it needs you no more"
}

// again reports whether both show the end of a turn, but not of the same one:
// a human spoke in between.
func again(old, s *engine.Session) bool {
	return s.Status == engine.Waiting && s.Spoke.After(old.Since) && s.Since.After(s.Spoke)
}

// weighs reports whether what changed may make something worth telling that was
// not before. What you asked for is no such thing: unmuting rings nothing.
func weighs(old, s *engine.Session) bool {
	return old.Trouble != s.Trouble || guess(old) != guess(s) || old.Loud != s.Loud || old.Reports != s.Reports
}

// rests reports whether no turn is under way.
func rests(s engine.Status) bool {
	return s == engine.Waiting || s == engine.Idle || s == engine.Asleep || s == engine.Ended
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
