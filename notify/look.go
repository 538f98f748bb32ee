package notify

import (
	"time"

	"deskbell/engine"
)

// Look is whom the last Apply wants looked at: whether their terminals are in front of
// you. Where the answer is known it goes to [Planner.Looked], and Apply is to be called
// then. No notice waits long for one.
func (p *Planner) Look() []engine.ID { return p.look }

// Seen is whose event the last Apply took for seen, because you were looking at it.
func (p *Planner) Seen() []engine.ID { return p.seen }

// Looked takes in whether you had the very pane of a session before your eyes at a time.
func (p *Planner) Looked(id engine.ID, yes bool, at time.Time) {
	if c := p.cards[id]; c != nil && !at.Before(c.looked) {
		c.looked, c.looking = at, yes
	}
}

// look asks whether you look at c, early enough for the answer to be there at due. It
// returns when to go on: to ask, to ring with an answer, or without one.
func (c *card) look(due time.Time, t *terms) time.Time {
	if !t.CanLook || t.alert {
		return due
	}
	if c.asked.IsZero() {
		if ask := due.Add(-glance.Wait); t.now.Before(ask) {
			return ask
		}
		c.asked, c.asks = t.now, true
	}
	if !c.looked.Before(c.asked) {
		return due
	}
	return later(due, c.asked.Add(glance.Wait))
}

// watched reports whether you were seen to look at c just now. What was seen is soon
// worth nothing: you may have gone.
func (c *card) watched(t *terms) bool {
	return t.CanLook && !t.alert && !c.hushed && c.looking && !t.now.After(c.looked.Add(glance.Fresh))
}
