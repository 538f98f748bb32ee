package notify

import (
	"time"

	"deskbell/engine"
)

// place is where the notice of a session is.
type place uint8

const (
	nowhere  place = iota
	alone          // it has its own
	together       // it is one of several
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
	s    engine.Session // as last seen
	gone bool

	entered time.Time // when the event began
	first   bool      // it had begun before the session was first heard of
	summary bool      // ... as a dialog, at the start

	from    time.Time // since when the event settles
	decided bool      // it was told, or passed over for good
	told    bool      // it rang

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
	default:
		c.s = s
		if !c.told && weighs(&old, &s) {
			c.decided = false
		}
		if guess(&old) && !guess(&s) {
			c.from = now // what is told settles by itself
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
	if !c.decided {
		c.say(Held, "it was over before it was worth a notice", now)
	}
	switch c.s.Status {
	case engine.Approval:
		if lasted := now.Sub(c.entered); lasted >= quick.Within {
			c.quick = 0
		} else if next.Status == engine.Working && !c.first {
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

// ring notes that the event is told now.
func (c *card) ring(now time.Time, p place) {
	c.place, c.rang, c.fresh = p, now, true
	c.told, c.decided = true, true
	switch kindOf(&c.s).Name {
	case Waiting:
		c.answered()
	case Trouble:
		c.troubled = c.s.Turn
	}
	why := "still open"
	if p == together {
		why = "still open, as one of several"
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
func (c *card) decide(now time.Time, p *Prefs) (due time.Time, rings bool) {
	k := kindOf(&c.s)
	if k == nil {
		c.down(now, over(c.s.Status))
		return due, false
	}
	if c.decided && !c.told {
		return due, false
	}
	if why := allowed(c, k, p); why != "" {
		c.down(now, why)
		if !c.told {
			c.decided = true
			c.say(Held, why, now)
		}
		return due, false
	}
	if c.told {
		return due, false
	}
	settle, why := settling(c, k)
	if due = c.from.Add(settle); !now.Before(due) {
		return due, true
	}
	if why != "" {
		c.down(now, "it asks something else now") // the next notice may take long
	} else {
		why = "it may be over at once"
	}
	c.say(Held, why, now)
	return due, false
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
