package tray

import (
	"time"

	"deskbell/engine"
)

// Memory keeps the total of a menu's header still: it is told anew when it has changed
// by a tenth, and at most once a minute. The zero Memory has told nothing.
type Memory struct {
	told int64
	at   time.Time
}

const (
	still = 10          // a change by less than one part of so many is none
	often = time.Minute // lies between two changes
)

// Apply takes what the sessions of this machine take now, and returns what to tell of
// it, and when that is to be asked again; zero: when something happens.
func (m *Memory) Apply(now time.Time, sessions []engine.Session) (total int64, next time.Time) {
	for i := range sessions {
		if sessions[i].Peer == "" {
			total += sessions[i].Memory
		}
	}
	change := max(total-m.told, m.told-total)
	switch due := m.at.Add(often); {
	case m.told == 0 || total == 0: // known, or known no longer
	case change*still < m.told:
		return m.told, time.Time{}
	case now.Before(due):
		return m.told, due
	}
	if m.told != total {
		m.told, m.at = total, now
	}
	return total, time.Time{}
}
