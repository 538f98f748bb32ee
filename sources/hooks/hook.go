package hooks

import (
	"slices"
	"strings"
	"time"

	"deskbell/sources"
	"deskbell/sources/hooks/client"
)

// moment is when something arrived, by both clocks.
type moment struct {
	wall time.Time
	boot int64 // ns since the machine was started; 0: not known
	id   string
}

// oldest is the greatest age of a frame that is believed: a receiver may have been
// stopped for a while, with frames waiting for it.
const oldest = 7 * 24 * time.Hour

// hookOf reads a frame that arrived at now. peer is the pid of its sender as we count;
// 0: not known.
func hookOf(f *client.Frame, peer int, now moment) sources.Hook {
	h := sources.Hook{Event: f.Event, Payload: f.Payload, At: sent(f, now), PID: f.PID, Ticks: f.Ticks, TTY: f.TTY}
	if peer != 0 && peer != f.Self || h.PID < 0 { // it counts its pids where we cannot look
		h.PID, h.Ticks, h.TTY = 0, 0, ""
	}
	for _, e := range f.Env {
		if name, value, ok := strings.Cut(e, "="); ok && slices.Contains(client.Env[:], name) {
			if h.Env == nil {
				h.Env = make(map[string]string, len(f.Env))
			}
			h.Env[name] = value
		}
	}
	return h
}

// tells reports whether the clock that is never set tells the age of a frame.
func (m moment) tells(f *client.Frame) bool {
	age := m.boot - f.Boot
	return f.Boot > 0 && m.boot > 0 && f.BootID == m.id && age >= 0 && age < int64(oldest)
}

// sent is when the client was started. Its age by the clock that is never set counts
// more than what the wall clock said then: the order holds over a step of that.
func sent(f *client.Frame, now moment) time.Time {
	if now.tells(f) {
		return now.wall.Add(-time.Duration(now.boot - f.Boot))
	}
	if at := time.Unix(0, f.Wall); f.Wall > 0 && at.Before(now.wall) && now.wall.Sub(at) < oldest {
		return at
	}
	return now.wall
}
