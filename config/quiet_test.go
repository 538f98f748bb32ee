package config

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestQuiet checks how times of the week are read.
func TestQuiet(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"mon-fri 22:00-07:00", "mon tue wed thu fri 22h 7h"},
		{"sat,sun 23:00-09:30", "sun sat 23h 9h30m"},
		{"fri-mon 1:00-2:00", "sun mon fri sat 1h 2h"},
		{"Sun 0:00-24:00", "sun 0s 24h"},
		{"  12:30-13:00 ", "sun mon tue wed thu fri sat 12h30m 13h"},
		{"mon,mon 1:00-2:00", "mon 1h 2h"},
		{"", `a time looks like "22:00-07:00" or "mon-fri 22:00-07:00"`},
		{"mon fri 22:00-07:00", `a time looks like "22:00-07:00" or "mon-fri 22:00-07:00"`},
		{"mon- 22:00-07:00", `"mon-" are no days: they are called mon, tue, wed, thu, fri, sat and sun`},
		{"22:00", `"" is no time of day such as 07:30`},
		{"22-7", `"22" is no time of day such as 07:30`},
		{"22:0-7:00", `"22:0" is no time of day such as 07:30`},
		{"22:60-7:00", `"22:60" is no time of day such as 07:30`},
		{"22:00-24:01", `"24:01" is no time of day such as 07:30`},
		{"+2:00-7:00", `"+2:00" is no time of day such as 07:30`},
		{"24:00-7:00", "a day begins at 00:00, not at 24:00"},
		{"7:00-07:00", "it lasts no time: a whole day is 00:00-24:00"},
	} {
		q, err := parseQuiet(test.text)
		got := fmt.Sprint(err)
		if err == nil {
			var days []string
			for d, on := range q.Days {
				if on {
					days = append(days, strings.ToLower(time.Weekday(d).String()[:3]))
				}
			}
			got = strings.Join(append(days, length(q.From), length(q.To)), " ")
		}
		if got != test.want {
			t.Errorf("%q: got %s, want %s", test.text, got, test.want)
		}
	}
}
