package process

import (
	"time"

	"deskbell/engine"
)

// load is how much a process had done when it was asked about.
type load struct {
	at    time.Time
	ticks uint64
}

// idling is the share of a core below which a process counts as doing nothing: a CLI
// that waits at a dialog takes about 2 % (facts/claude.md section 6).
const idling = 0.1

// quiet tells whether a process does next to nothing. The first answer about it is
// no: there is nothing to compare with. Where it cannot be told it is yes.
func (s *Source) quiet(who engine.Who) {
	pid, seen := s.find(who)
	if !seen || pid == 0 {
		return
	}
	now := time.Now()
	ticks, runs, err := worked(pid)
	after := load{now, ticks}
	key := id{pid, who.Ticks}
	before, known := s.loads[key]
	if len(s.loads) > mostLoads {
		clear(s.loads)
	}
	s.loads[key] = after
	yes := err != nil || known && !runs && idle(before, after)
	s.emit(engine.Event{By: engine.Process, Who: who, Fact: engine.Quiet{Yes: yes}})
}

// idle reports whether a process did next to nothing between two looks.
func idle(before, after load) bool {
	if after.ticks < before.ticks { // another process with its number
		return false
	}
	spent := time.Duration(after.ticks-before.ticks) * tick
	return spent.Seconds() < idling*after.at.Sub(before.at).Seconds()
}

// mostLoads bounds the processes that are remembered; only those that start are asked
// about.
const mostLoads = 64
