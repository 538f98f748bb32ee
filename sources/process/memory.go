package process

import (
	"context"
	"time"

	"deskbell/engine"
)

const (
	// fresh is how long a look at memory is good for, so that those who ask at once are
	// told the same.
	fresh = 10 * time.Second
	// frugal is how much longer that is than the look took: a machine on which looking is
	// dear is looked at less often, but still once a minute.
	frugal = 100
	rare   = time.Minute
)

// scales is what is known of the last look at memory.
type scales struct {
	at    time.Time
	took  time.Duration
	roots map[int]int
	shares
}

// due reports whether another look is worth while.
func (s *scales) due(now time.Time, roots map[int]int) bool {
	since := now.Sub(s.at)
	return since < 0 || since >= min(max(fresh, frugal*s.took), rare) || s.others(roots)
}

// others reports whether one of these was not looked at.
func (s *scales) others(roots map[int]int) bool {
	for pid := range roots {
		if _, known := s.roots[pid]; !known {
			return true
		}
	}
	return false
}

// Measure has it told what each of these processes takes, with all that it started. One
// that was started by several is counted for the nearest. It never blocks; told is closed
// when all has been told, or was a moment ago.
func (s *Source) Measure(who []engine.Who) (told <-chan struct{}) {
	done := make(chan struct{})
	s.inbox.Put(func() {
		roots := make(map[int]int, len(who))
		for i, w := range who {
			if pid, seen := s.find(w); seen && pid != 0 {
				roots[pid] = i
			}
		}
		s.weigh.Put(func() { s.measure(who, roots); close(done) })
	})
	return done
}

// measuring runs beside Run, which has ends to tell in the meantime.
func (s *Source) measuring(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.weigh.Ring():
			for _, do := range s.weigh.Take() {
				do()
			}
		}
	}
}

// measure looks at the processes with these numbers, which are those of who.
func (s *Source) measure(who []engine.Who, roots map[int]int) {
	now := time.Now()
	if len(roots) == 0 || !s.scales.due(now, roots) {
		return
	}
	all, err := kinship()
	if err != nil {
		s.inbox.Put(func() { s.say("memory", "what sessions take is not told: "+err.Error()) })
		return
	}
	sums := make([]int64, len(who))
	whose := families(all, who, roots)
	s.scales.renew(now, s.scales.others(roots))
	for pid, i := range whose {
		sums[i] += s.scales.takes(id{pid, all[pid].ticks})
	}
	s.scales.keep(func(pid int) bool { _, is := whose[pid]; return is })
	s.scales.at, s.scales.took, s.scales.roots = now, time.Since(now), roots
	var events []engine.Event
	for pid, i := range roots {
		if k, there := all[pid]; there && (who[i].Ticks == 0 || k.ticks == 0 || who[i].Ticks == k.ticks) {
			events = append(events, engine.Event{At: now, By: engine.Process, Who: told(who[i]), Fact: engine.Measured{Bytes: sums[i]}})
		}
	}
	if len(events) > 0 {
		s.emit(events...)
	}
}

// told is the part of who that an answer is about.
func told(who engine.Who) engine.Who {
	return engine.Who{Tool: who.Tool, PID: who.PID, Ticks: who.Ticks, Domain: who.Domain}
}
