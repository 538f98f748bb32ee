package process

import "deskbell/engine"

// place is where a process counts its pid.
type place uint8

const (
	elsewhere place = iota // where we cannot look
	here                   // where we can, and the pid is translated
	perhaps                // on this machine, if its name for it is not known to us
)

// find translates the pid a witness told into ours. Where the machine's name is
// not known, a process that is the very one it told of proves that it is ours.
func (s *Source) find(who engine.Who) (pid int, seen bool) {
	if who.Domain == "" {
		return who.PID, true
	}
	pid, where := locate(who.Domain, who.PID)
	if where == perhaps && !s.proven[who.Domain] {
		p, alive := glance(pid)
		s.proven[who.Domain] = alive && p.Ticks != 0 && p.Ticks == who.Ticks
		return pid, s.proven[who.Domain]
	}
	return pid, where != elsewhere
}
