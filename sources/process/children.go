package process

import (
	"time"

	"deskbell/engine"
)

// tick is how coarse the start of a process may be told.
const tick = 10 * time.Millisecond

// children tells whether a process has a child that began after a call did. Where
// that cannot be seen, the call is taken to run.
func (s *Source) children(q engine.Question) {
	fact := engine.Children{Call: q.Call, Yes: true}
	if pid, seen := s.find(q.Who); seen && pid != 0 {
		if list, err := offspring(pid); err == nil {
			fact.Yes = younger(list, q.Since, time.Now())
		}
	}
	s.emit(engine.Event{By: engine.Process, Who: q.Who, Fact: fact})
}

// bearers tells whether a process carries the id of a call. Where that cannot be seen
// nothing is told.
func (s *Source) bearers(q engine.Question) {
	name := ""
	for i := range s.opt.CLIs {
		if s.opt.CLIs[i].Name == q.Who.Tool {
			name = s.opt.CLIs[i].CallEnv
		}
	}
	list, _, err := pids()
	if name == "" || err != nil || !legible {
		return
	}
	fact := engine.Children{Call: q.Call, Own: true}
	for _, n := range list {
		if pid := int(n); younger([]int{pid}, q.Since, time.Now()) && ours(pid) && carries(pid, name+"="+q.Call) {
			fact.Yes = true
			break
		}
	}
	s.emit(engine.Event{By: engine.Process, Who: q.Who, Fact: fact})
}

// younger reports whether one of the processes began after since.
func younger(list []int, since, now time.Time) bool {
	for _, pid := range list {
		if p, alive := glance(pid); alive && (p.Ticks == 0 || now.Add(-age(p)).After(since.Add(-tick))) {
			return true
		}
	}
	return false
}

// sought lists the children of a process by going through all processes.
func sought(parent int) (out []int, err error) {
	list, parents, err := pids()
	for _, n := range list {
		up, known := parents[int(n)]
		if !known {
			p, _ := glance(int(n))
			up = p.Parent
		}
		if up == parent {
			out = append(out, int(n))
		}
	}
	return out, err
}
