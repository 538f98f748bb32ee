package notify

import (
	"maps"
	"slices"
	"time"

	"deskbell/engine"
)

// Planner decides what to raise and what to withdraw. Like the engine it is
// pure: it is handed the time and returns the next moment it wants to be called.
// At each call it compares what should be on the screen with what is.
type Planner struct {
	prefs  Prefs // as last told
	cards  map[engine.ID]*card
	list   []*card              // of cards, the oldest first
	start  time.Time            // of the first call
	joined time.Time            // when the notice for several last took one in
	shown  map[engine.ID]Notice // what is on the screen
	look   []engine.ID          // of the last Apply
	seen   []engine.ID          // likewise
}

// Apply takes changes in and tells what to raise and to withdraw at now. Next is
// when to call again at the latest; zero: no need.
func (p *Planner) Apply(now time.Time, changes []engine.Transition, prefs Prefs) (raise []Notice, withdraw []engine.ID, next time.Time) {
	if p.start.IsZero() {
		p.start = now
	}
	for i := range changes {
		p.see(now, &changes[i])
	}

	p.prefs, p.look, p.seen = prefs, nil, nil
	soonest := func(due time.Time) {
		if !due.IsZero() && (next.IsZero() || due.Before(next)) {
			next = due
		}
	}
	var ringing []*card
	for _, c := range p.list {
		c.fresh, c.asks, c.saw = false, false, false
		c.terms = p.prefs.about(&c.s, now)
		due, rings := c.decide(&c.terms)
		if rings {
			ringing = append(ringing, c)
			continue
		}
		soonest(due)
		if c.asks {
			p.look = append(p.look, c.s.ID)
		}
		if c.saw {
			p.seen = append(p.seen, c.s.ID)
		}
	}
	opened := p.place(now, ringing)
	for _, c := range ringing {
		due, _ := c.remind(&c.terms)
		soonest(due)
	}
	raise, withdraw = p.compare(p.want(now, opened))
	p.list = slices.DeleteFunc(p.list, func(c *card) bool {
		if c.gone {
			delete(p.cards, c.s.ID)
		}
		return c.gone
	})
	return raise, withdraw, next
}

// Gone forgets sessions. Their notices are withdrawn by the next Apply.
func (p *Planner) Gone(ids ...engine.ID) {
	for _, id := range ids {
		if c := p.cards[id]; c != nil {
			c.gone, c.s.Status = true, engine.Unknown
		}
	}
}

// Closed takes in what happened to the notice id. Who clicked or closed it knows, and
// is not reminded.
func (p *Planner) Closed(now time.Time, id engine.ID, a Action) {
	why := a.Why()
	if why == "" {
		return
	}
	for _, c := range p.about(id) {
		why := why
		if a != Expired {
			if c.done = true; !c.alert.IsZero() {
				why += ", so there is no reminder"
			}
		}
		c.say(Raised, why, now)
	}
}

// Known takes in that you turned to a session: you are not reminded of what it needs
// you for now.
func (p *Planner) Known(now time.Time, id engine.ID) {
	if c := p.cards[id]; c != nil && c.told && !c.done {
		if c.done = true; !c.alert.IsZero() && c.place != nowhere {
			c.say(Raised, "still open, but you went there, so there is no reminder", now)
		}
	}
}

// About are the sessions the notice id is about.
func (p *Planner) About(id engine.ID) (ids []engine.ID) {
	for _, c := range p.about(id) {
		ids = append(ids, c.s.ID)
	}
	return ids
}

func (p *Planner) about(id engine.ID) (out []*card) {
	for _, c := range p.list {
		if g := groups[c.place]; g == id && g != "" || c.place == alone && c.s.ID == id {
			out = append(out, c)
		}
	}
	return out
}

// State says what became of the notice of a session, why and when: [Raised],
// [Withdrawn] or [Held]; "" where there was nothing to tell.
func (p *Planner) State(id engine.ID) (state, why string, at time.Time) {
	if c := p.cards[id]; c != nil {
		return c.state, c.why, c.at
	}
	return "", "", time.Time{}
}

// News is what became of a notice.
type News struct {
	Session          engine.Session
	State, Kind, Why string
}

// News is what the last Apply, which was at now, has decided anew.
func (p *Planner) News(now time.Time) (all []News) {
	for _, c := range p.list {
		if c.state == "" || !c.at.Equal(now) {
			continue
		}
		s, kind := &c.s, ""
		if c.state != Held && c.as.ID != "" {
			s = &c.as // what was on the screen
		}
		if k := kindOf(s); k != nil {
			kind = string(k.Name)
		}
		all = append(all, News{c.s, c.state, kind, c.why})
	}
	return all
}

func (p *Planner) see(now time.Time, t *engine.Transition) {
	if p.cards == nil {
		p.cards, p.shown = map[engine.ID]*card{}, map[engine.ID]Notice{}
	}
	c := p.cards[t.Session.ID]
	if c == nil {
		c = new(card)
		p.cards[t.Session.ID], p.list = c, append(p.list, c)
	}
	c.gone = false
	c.see(now, t.Session)
	if s := c.s.Status; now.Sub(p.start) < opening && c.first && (s == engine.Approval || s == engine.Input) && !guess(&c.s) {
		c.summary = true
	}
}

// wanted is a notice that should be up, and whether it rings now.
type wanted struct {
	Notice
	rings, sounds bool
}

// compare brings what is shown in line with want.
func (p *Planner) compare(want []wanted) (raise []Notice, withdraw []engine.ID) {
	up := map[engine.ID]bool{}
	for _, w := range want {
		n := w.Notice
		up[n.ID] = true
		old, open := p.shown[n.ID]
		if !w.rings && open && old.same(&n) {
			continue
		}
		n.Replaces, n.Silent, n.Sound = open, open && !w.rings, w.sounds && w.rings
		p.shown[n.ID] = n
		raise = append(raise, n)
	}
	for _, id := range slices.Sorted(maps.Keys(p.shown)) {
		if !up[id] {
			delete(p.shown, id)
			withdraw = append(withdraw, id)
		}
	}
	return raise, withdraw
}
