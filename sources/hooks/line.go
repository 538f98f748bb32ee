package hooks

import (
	"cmp"
	"errors"
	"slices"
	"time"
)

// line puts what callers say into order. Hook processes know nothing of each other:
// callers come to be heard in the order in which they called, and what is heard at
// once is sorted by when they were started. A caller who does not speak is overtaken
// after window.
type line struct {
	callers []*caller // in the order in which they called; those who were not overtaken
	late    []arrived // said by callers who had been overtaken
}

// Limits of those who are slow. A client sends its frame as soon as it is let in.
const (
	window   = 2 * time.Millisecond // until it is overtaken
	patience = time.Second          // until it is given up
	crowd    = 256                  // so many at once; one more, and the first is given up
)

var errSlow = errors.New("half a hook's message, and no more of it came")

// caller is one connection.
type caller struct {
	since time.Time
	gone  bool // it has spoken, or never will
	says  *arrived
	late  bool // it was overtaken
}

// join adds a caller at the end.
func (l *line) join(now time.Time) *caller {
	c := &caller{since: now}
	l.callers = append(l.callers, c)
	return c
}

// spoke notes what c says, nil for nothing. It can be called once.
func (l *line) spoke(c *caller, a *arrived) {
	c.gone, c.says = true, a
	if c.late && a != nil {
		l.late = append(l.late, *a)
	}
}

// next returns what is to be told now, and when to ask again if nobody speaks until
// then; zero: no need.
func (l *line) next(now time.Time) (out []arrived, again time.Time) {
	out = l.late
	l.late = nil
	n := 0
	for _, c := range l.callers {
		if !c.gone && now.Sub(c.since) < window {
			again = c.since.Add(window)
			break
		}
		if n++; c.gone && c.says != nil {
			out = append(out, *c.says)
		}
		c.late = true
	}
	l.callers = slices.Delete(l.callers, 0, n)
	slices.SortStableFunc(out, func(a, b arrived) int { return cmp.Compare(a.began, b.began) })
	return out, again
}
