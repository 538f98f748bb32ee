package tray

import (
	"time"

	"deskbell/engine"
)

// Memory keeps the total of a menu's header still: see [engine.Gauge]. The zero Memory
// has told nothing.
type Memory struct{ gauge engine.Gauge }

// often lies between two changes.
const often = time.Minute

// Apply takes what the sessions of this machine take now, and returns what to tell of it.
func (m *Memory) Apply(now time.Time, sessions []engine.Session) (total int64) {
	for i := range sessions {
		if sessions[i].Peer == "" {
			total += sessions[i].Memory
		}
	}
	return m.gauge.Apply(now, total, often)
}
