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
	cards  map[engine.ID]*card
	list   []*card              // of cards, the oldest first
	start  time.Time            // of the first call
	joined time.Time            // when the notice for several last took one in
	shown  map[engine.ID]Notice // what is on the screen
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

	var ringing []*card
	for _, c := range p.list {
		c.fresh = false
		due, rings := c.decide(now, &prefs)
		switch {
		case rings:
			ringing = append(ringing, c)
		case !due.IsZero() && (next.IsZero() || due.Before(next)):
			next = due
		}
	}
	opened := p.place(now, ringing)
	raise, withdraw = p.compare(p.want(now, &prefs, opened))
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

// Closed takes in that the notice id went off the screen, as why says: by you, or
// by the desktop.
func (p *Planner) Closed(now time.Time, id engine.ID, why string) {
	for _, c := range p.cards {
		if c.place == alone && c.s.ID == id || c.place == together && id == Together {
			c.say(Raised, why, now)
		}
	}
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

// place finds room for what rings: each its own notice, or one for all. It
// reports whether the one for all is a new one.
func (p *Planner) place(now time.Time, ringing []*card) (opened bool) {
	if len(ringing) == 0 {
		return false
	}
	var members, recent []*card
	for _, c := range p.list {
		switch {
		case slices.Contains(ringing, c):
		case c.place == together:
			members = append(members, c)
		case c.place == alone && now.Sub(c.rang) <= burst.Within:
			recent = append(recent, c)
		}
	}
	joins := len(members) > 0 && now.Sub(p.joined) <= burst.Within
	var group []*card
	if joins || len(recent)+len(ringing) > burst.Most {
		group = append(recent, ringing...)
	} else {
		for _, c := range ringing {
			if c.summary {
				group = append(group, c)
			}
		}
		if len(group)+len(members) < 2 {
			group = nil
		}
	}
	for _, c := range ringing {
		c.ring(now, alone)
	}
	for _, c := range group {
		c.place, p.joined = together, now
		c.say(Raised, "still open, as one of several", now)
	}
	return len(group) > 0 && !joins
}

// want is what should be on the screen.
func (p *Planner) want(now time.Time, prefs *Prefs, opened bool) (out []wanted) {
	var group []*card
	for _, c := range p.list {
		switch c.place {
		case alone:
			n := prefs.notice(c.face())
			n.At = now
			out = append(out, wanted{n, c.fresh, n.Sound})
		case together:
			group = append(group, c)
		}
	}
	if len(group) == 0 {
		return out
	}
	w := wanted{Notice: prefs.several(group), rings: opened}
	w.At, w.sounds = now, opened && w.Sound
	for _, c := range group {
		w.rings = w.rings || c.fresh // who joins is seen, not heard
	}
	return append(out, w)
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
