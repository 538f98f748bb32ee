package notify

import (
	"slices"
	"time"

	"deskbell/engine"
)

// groups are the notices that stand for several sessions, by place.
var groups = map[place]engine.ID{together: Together, away: AfterHours}

// place finds room for what rings: each its own notice, or one for all. It
// reports whether the one for all is a new one.
func (p *Planner) place(now time.Time, ringing []*card) (opened bool) {
	if len(ringing) == 0 {
		return false
	}
	var members, recent, rest []*card
	for _, c := range ringing {
		if c.hushed {
			c.ring(now, away)
		} else {
			rest = append(rest, c)
		}
	}
	ringing = rest
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
		c.say(Raised, open[together], now)
	}
	return len(group) > 0 && !joins
}

// want is what should be on the screen.
func (p *Planner) want(now time.Time, opened bool) (out []wanted) {
	group := map[place][]*card{}
	for _, c := range p.list {
		switch c.place {
		case nowhere:
		case alone:
			n := c.notice()
			out = append(out, wanted{n, c.fresh, n.Sound})
		default:
			group[c.place] = append(group[c.place], c)
		}
	}
	for _, at := range []place{together, away} {
		if len(group[at]) == 0 {
			continue
		}
		w := wanted{Notice: several(at, group[at])}
		for _, c := range group[at] {
			w.rings = w.rings || c.fresh // who joins is seen, not heard, unless it is an alert
			w.sounds = w.sounds || c.fresh && c.terms.alert
		}
		if opened && at == together {
			w.rings = true
		}
		w.sounds = w.Sound && (w.sounds || opened && at == together || w.rings && at == away)
		out = append(out, w)
	}
	for i := range out {
		n := &out[i]
		n.At = now
		n.Sound = n.Sound && !p.prefs.NoSound
		n.sounds = n.sounds && n.Sound
	}
	return out
}

// notice is the notice of c alone.
func (c *card) notice() Notice {
	s, w := c.face(), c.terms.words()
	n := w.notice(s)
	if c.terms.alert {
		n.Sound, n.Critical = true, true
	}
	n.Reminder = c.reminded
	return n
}
