package cli

import (
	"fmt"
	"time"
)

// scale is how a length of time is told: in the largest unit it fills.
var scale = []struct {
	unit time.Duration
	name string
}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}}

// short tells a length of time in a column: 12s, 3m, 2h, 5d.
func short(d time.Duration) string {
	for _, s := range scale {
		if d >= s.unit {
			return fmt.Sprint(int64(d/s.unit), s.name)
		}
	}
	return "0s"
}

var units = map[string]string{"d": "d", "h": "h", "m": "min", "s": "s"}

// long tells a length of time in a sentence: 12 s, 3 min, 2 h.
func long(d time.Duration) string {
	s := short(d)
	n := len(s) - 1
	return s[:n] + " " + units[s[n:]]
}

// ago is how long before now t was. A clock that was set back makes it no time.
func ago(now, t time.Time) time.Duration { return max(0, now.Sub(t)) }
