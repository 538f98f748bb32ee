package notify

import "time"

// Hours are hours of the day in which you want quiet. They are read off the clock on
// the wall, so that a day of 23 or 25 hours has them, too.
type Hours struct {
	Days     [7]bool       // on which they begin, Sunday first; none: each day
	From, To time.Duration // since midnight. To is on the next day unless it is after From
}

// around is the end of the hours at lies in.
func (h *Hours) around(at time.Time) (end time.Time, ok bool) {
	for _, day := range []int{-1, 0} { // those that began yesterday may still last
		if h.Days != ([7]bool{}) && !h.Days[(int(at.Weekday())+7+day)%7] {
			continue
		}
		from, to := onClock(at, day, h.From), onClock(at, day, h.To)
		if h.To <= h.From {
			to = onClock(at, day+1, h.To)
		}
		if !at.Before(from) && at.Before(to) {
			end, ok = to, true
		}
	}
	return end, ok
}

// onClock is when the clock shows a time of day, so many days after that of at.
func onClock(at time.Time, days int, clock time.Duration) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day()+days, int(clock/time.Hour),
		int(clock%time.Hour/time.Minute), int(clock%time.Minute/time.Second), 0, at.Location())
}

// hush is the end of the quiet hours at lies in. Hours that meet are one.
func (p *Prefs) hush(at time.Time) (end time.Time, ok bool) {
	if len(p.Quiet) == 0 {
		return end, false
	}
	zone := p.Zone
	if zone == nil {
		zone = time.Local
	}
	const week = 7 // who wants quiet for longer is asked about again then
	for end = at; ; ok = true {
		last := end
		for i := range p.Quiet {
			if to, in := p.Quiet[i].around(last.In(zone)); in && to.After(end) {
				end = to
			}
		}
		if end.Equal(last) || end.Sub(at) > week*24*time.Hour {
			return end, ok || end.After(at)
		}
	}
}
