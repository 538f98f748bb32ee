package cli

import (
	"slices"
	"time"

	"deskbell/engine"
)

// board is the state put together from the events of the stream.
type board struct {
	all      bool // ended sessions stay
	at       time.Time
	sessions []engine.Session
	muted    []engine.Hush
}

// apply brings the board up to date with e.
func (b *board) apply(e event) error {
	switch e.name {
	case "snapshot":
		var s engine.Snapshot
		if err := decode(e.data, &s); err != nil {
			return err
		}
		b.at, b.sessions, b.muted = s.At, s.Sessions, s.Muted
	case "change":
		var c change
		if err := decode(e.data, &c); err != nil {
			return err
		}
		b.at = c.At
		b.drop(c.Session.ID)
		if b.all || c.Session.Status.Live() {
			b.sessions = append(b.sessions, c.Session)
		}
	case "gone":
		var g gone
		if err := decode(e.data, &g); err != nil {
			return err
		}
		b.at = g.At
		b.drop(g.ID)
	}
	return nil
}

func (b *board) drop(id engine.ID) {
	b.sessions = slices.DeleteFunc(b.sessions, func(s engine.Session) bool { return s.ID == id })
}

// snapshot returns the board in the order of a snapshot.
func (b *board) snapshot() engine.Snapshot {
	all := slices.Clone(b.sessions)
	slices.SortStableFunc(all, engine.Order)
	return engine.Snapshot{At: b.at, Counts: engine.Count(all), Sessions: all, Muted: b.muted}
}
