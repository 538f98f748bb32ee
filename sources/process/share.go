package process

import (
	"bytes"
	"strconv"
	"time"
)

// shares are what processes take of memory they share with others. To be told that is
// dear, as the system goes through all their pages; what of them is resident is not.
type shares struct {
	of    map[id]share
	since time.Time
}

// share is what was told of one process at once.
type share struct{ resident, proportional int64 }

const (
	// stable is how little the resident memory changes while a share holds: by less than
	// one part of so many.
	stable = 10
	// lasting is how long shares hold: others may begin or cease to share.
	lasting = 5 * time.Minute
)

// renew forgets what does not hold any more, or all where others have come.
func (s *shares) renew(now time.Time, others bool) {
	if age := now.Sub(s.since); others || age < 0 || age >= lasting {
		s.of, s.since = map[id]share{}, now
	}
}

// takes is what a process takes: its proportional share, or, where that is not told, all
// that is resident.
func (s *shares) takes(p id) int64 {
	now := resident(p.pid)
	if old, known := s.of[p]; known && max(now-old.resident, old.resident-now)*stable < old.resident {
		return int64(float64(old.proportional) / float64(old.resident) * float64(now))
	}
	size, ok := proportional(p.pid)
	if !ok {
		return now
	}
	s.of[p] = share{now, size}
	return size
}

// keep forgets all processes but these.
func (s *shares) keep(there func(pid int) bool) {
	for p := range s.of {
		if !there(p.pid) {
			delete(s.of, p)
		}
	}
}

// pss is the proportional share in a roll-up of a process's maps: what it shares with
// others is divided among them.
func pss(rollup []byte) (size int64, ok bool) {
	for line := range bytes.Lines(rollup) {
		if rest, is := bytes.CutPrefix(line, []byte("Pss:")); is {
			fields := bytes.Fields(rest)
			if len(fields) == 0 {
				return 0, false
			}
			kB, err := strconv.ParseInt(string(fields[0]), 10, 64)
			return kB << 10, err == nil && kB >= 0
		}
	}
	return 0, false
}
