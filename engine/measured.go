package engine

// measured notes what the process of a session takes. It is no sign of life.
func (e *Engine) measured(w Who, f Measured, stamp Stamp) {
	s := e.byProcess(w)
	if s == nil {
		s = e.vouching(w)
	}
	if s != nil {
		f.record(&s.facts, stamp)
		e.touch(s)
	}
}

// memory is what s takes while it has a process, as it was last measured.
func (s *entry) memory() int64 {
	if !s.view.Status.Live() || s.view.Status == Asleep || s.view.PID == 0 {
		return 0
	}
	return s.facts.Bytes
}

// resized reports whether what s takes is worth a change.
func (e *Engine) resized(s *entry) bool {
	before := s.gauge.shown
	return s.gauge.Apply(e.now, s.view.Memory, e.limits[Weigh]) != before
}

// Residents lists the processes of live sessions. A process has no number here that
// counts where we cannot look.
func (e *Engine) Residents() (out []Who) {
	for _, s := range e.order {
		if v := &s.view; v.Status.Live() && v.Status != Asleep && v.PID != 0 && v.Peer == "" {
			w := Who{Tool: s.who.Tool, PID: v.PID, Term: s.who.Term, TTY: s.who.TTY}
			if v.PID == s.who.PID {
				w.Ticks, w.Domain = s.who.Ticks, s.who.Domain
			}
			out = append(out, w)
		}
	}
	return out
}
