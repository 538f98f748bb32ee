package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// hours is a list of times of the week.
type hours struct{}

func (hours) wants() string {
	return `a list of times such as "mon-fri 22:00-07:00", "sat,sun 23:00-09:30" or "12:30-13:00"`
}

func (h hours) read(v value, _ *World) ([]Quiet, error) {
	return list(v, h.wants(), func(item value) (Quiet, error) {
		if item.form != aString {
			return Quiet{}, unlike(item, `a time such as "mon-fri 22:00-07:00"`)
		}
		q, err := parseQuiet(item.text)
		if err != nil {
			return Quiet{}, wrong{item, fmt.Sprintf("%s: %v", item, err)}
		}
		return q, nil
	})
}

var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// parseQuiet reads "mon-fri 22:00-07:00". Without days it is every day.
func parseQuiet(text string) (q Quiet, err error) {
	words := strings.Fields(text)
	switch len(words) {
	case 1:
		q.Days = [7]bool{true, true, true, true, true, true, true}
	case 2:
		if q.Days, err = parseDays(words[0]); err != nil {
			return q, err
		}
	default:
		return q, fmt.Errorf(`a time looks like "22:00-07:00" or "mon-fri 22:00-07:00"`)
	}
	from, to, _ := strings.Cut(words[len(words)-1], "-")
	if q.From, err = parseClock(from); err != nil {
		return q, err
	}
	if q.To, err = parseClock(to); err != nil {
		return q, err
	}
	switch {
	case q.From == day:
		return q, fmt.Errorf("a day begins at 00:00, not at 24:00")
	case q.From == q.To:
		return q, fmt.Errorf("it lasts no time: a whole day is 00:00-24:00")
	}
	return q, nil
}

// parseDays reads "mon-fri" or "sat,sun". A range may go over the end of the week.
func parseDays(text string) (days [7]bool, err error) {
	for part := range strings.SplitSeq(text, ",") {
		first, last, ranged := strings.Cut(part, "-")
		if !ranged {
			last = first
		}
		from, to := weekday(first), weekday(last)
		if from < 0 || to < 0 {
			return days, fmt.Errorf("%q are no days: they are called mon, tue, wed, thu, fri, sat and sun", cut(part))
		}
		for d := from; ; d = (d + 1) % len(weekdays) {
			days[d] = true
			if d == to {
				break
			}
		}
	}
	return days, nil
}

func weekday(name string) int { return slices.Index(weekdays, strings.ToLower(name)) }

// parseClock reads a time of day. 24:00 is the end of it.
func parseClock(text string) (time.Duration, error) {
	h, m, ok := strings.Cut(text, ":")
	hour, err := strconv.ParseUint(h, 10, 8)
	minute, err2 := strconv.ParseUint(m, 10, 8)
	t := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
	if !ok || err != nil || err2 != nil || len(m) != 2 || len(h) > 2 || minute > 59 || t > day {
		return 0, fmt.Errorf("%q is no time of day such as 07:30", cut(text))
	}
	return t, nil
}
