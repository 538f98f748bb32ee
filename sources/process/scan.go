package process

import (
	"slices"
	"time"

	"deskbell/sources"
)

// How often a known process is looked at again. A program exchanged for another
// keeps its process, so those are looked at that do so: young ones and shells.
const (
	youth    = time.Minute
	complete = 5 * time.Minute
)

// Scan keeps the table of our own processes. A new look costs little: only what
// is new, young, tracked or a shell is read.
type Scan struct {
	procs map[int]*sources.Proc // nil: not ours
	track map[int]bool          // processes whose folder and life matter
	full  time.Time             // when everything was read last
	env   func(p *sources.Proc) // adds the environment where it is wanted
}

// NewScan returns an empty table. wanted tells for which processes the
// environment is read; these are tracked.
func NewScan(wanted func(sources.Proc) bool) *Scan {
	s := &Scan{procs: map[int]*sources.Proc{}, track: map[int]bool{}}
	s.env = func(p *sources.Proc) {
		if s.track[p.PID] = wanted(*p); s.track[p.PID] {
			p.Env = environ(p.PID)
		} else {
			delete(s.track, p.PID)
		}
	}
	return s
}

// Look brings the table up to date.
func (s *Scan) Look(now time.Time) error {
	list, parents, err := pids()
	if err != nil {
		return err
	}
	all := now.Sub(s.full) >= complete || now.Before(s.full)
	if all {
		s.full = now
	}
	there := make(map[int]bool, len(list))
	for _, n := range list {
		pid := int(n)
		there[pid] = true
		if old, known := s.procs[pid]; !known || all || old != nil && s.stale(*old) {
			s.read(pid, old, parents)
		}
	}
	for pid := range s.procs {
		if !there[pid] {
			delete(s.procs, pid)
			delete(s.track, pid)
		}
	}
	return nil
}

func (s *Scan) stale(p sources.Proc) bool { return s.track[p.PID] || shell(p) || age(p) < youth }

// read looks at one process. What has not changed is not read again.
func (s *Scan) read(pid int, old *sources.Proc, parents map[int]int) {
	if old == nil && !ours(pid) {
		s.procs[pid] = nil
		return
	}
	p, alive := glance(pid)
	if !alive {
		delete(s.procs, pid)
		delete(s.track, pid)
		return
	}
	if parent, ok := parents[pid]; ok {
		p.Parent = parent
	}
	if old != nil && old.Ticks == p.Ticks && old.Name == p.Name && slices.Equal(old.Args, args(pid)) {
		old.Parent, old.TTY = p.Parent, p.TTY
		if s.track[pid] {
			old.Dir = folder(*old)
		}
		return
	}
	detail(&p)
	s.env(&p)
	s.procs[pid] = &p
}

// Proc returns a process of the table.
func (s *Scan) Proc(pid int) (sources.Proc, bool) {
	if p := s.procs[pid]; p != nil {
		return *p, true
	}
	return sources.Proc{}, false
}

// Tracked returns the processes that wanted picked, by the time they started.
func (s *Scan) Tracked() (out []sources.Proc) {
	for pid := range s.track {
		if p := s.procs[pid]; p != nil {
			out = append(out, *p)
		}
	}
	slices.SortFunc(out, func(a, b sources.Proc) int {
		if a.Ticks != b.Ticks {
			if a.Ticks < b.Ticks {
				return -1
			}
			return 1
		}
		return a.PID - b.PID
	})
	return out
}
