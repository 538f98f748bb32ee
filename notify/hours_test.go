package notify

import (
	"testing"
	"time"
)

// Hours are those of the clock on the wall, on days of 23 and 25 hours too.
func TestHours(t *testing.T) {
	for _, c := range []struct{ name, zone, hours, at, end string }{
		{"within", "UTC", "09:00-17:00", "2026-11-30 09:00:00", "2026-11-30T17:00:00Z"},
		{"over", "UTC", "09:00-17:00", "2026-11-30 17:00:00", ""},
		{"before", "UTC", "09:00-17:00", "2026-11-30 08:59:59", ""},
		{"evening", "UTC", "22:00-07:30", "2026-11-30 23:00:00", "2026-12-01T07:30:00Z"},
		{"morning", "UTC", "22:00-07:30", "2026-12-31 07:29:59", "2026-12-31T07:30:00Z"},
		{"new year", "UTC", "22:00-07:30", "2026-12-31 23:00:00", "2027-01-01T07:30:00Z"},
		{"at midnight", "UTC", "00:00-06:00", "2026-12-01 00:00:00", "2026-12-01T06:00:00Z"},
		{"to midnight", "UTC", "18:00-00:00", "2026-12-01 23:59:59", "2026-12-02T00:00:00Z"},
		{"weekend evening", "UTC", "Sat,22:00-08:00", "2026-12-05 22:00:00", "2026-12-06T08:00:00Z"},
		{"weekend morning", "UTC", "Sat,22:00-08:00", "2026-12-06 07:00:00", "2026-12-06T08:00:00Z"},
		{"not that morning", "UTC", "Sat,22:00-08:00", "2026-12-05 07:00:00", ""},
		{"not on Sunday evening", "UTC", "Sat,22:00-08:00", "2026-12-06 22:00:00", ""},
		{"Saturday to Sunday of another week", "UTC", "Sun,22:00-08:00", "2026-12-07 01:00:00", "2026-12-07T08:00:00Z"},
		// The clock goes forward from 02:00 to 03:00, and back from 03:00 to 02:00.
		{"a night of an hour less", "Europe/Berlin", "22:00-08:00", "2027-03-27 23:00:00", "2027-03-28T08:00:00+02:00"},
		{"its morning", "Europe/Berlin", "22:00-08:00", "2027-03-28 07:59:00", "2027-03-28T08:00:00+02:00"},
		{"a night of an hour more", "Europe/Berlin", "22:00-08:00", "2026-10-24 23:00:00", "2026-10-25T08:00:00+01:00"},
		{"a day of 23 hours", "Europe/Berlin", "Sun,00:00-00:00", "2027-03-28 12:00:00", "2027-03-29T00:00:00+02:00"},
		{"a day of 25 hours", "Europe/Berlin", "Sun,00:00-00:00", "2026-10-25 12:00:00", "2026-10-26T00:00:00+01:00"},
		// Where midnight is left out the day is still that day.
		{"no midnight", "America/Santiago", "Sun,01:00-09:00", "2026-09-06 05:00:00", "2026-09-06T09:00:00-03:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			zone, err := time.LoadLocation(c.zone)
			if err != nil {
				t.Fatal(err)
			}
			at, err := time.ParseInLocation(time.DateTime, c.at, zone)
			if err != nil {
				t.Fatal(err)
			}
			p := Prefs{Quiet: []Hours{hours(t, c.hours)}, Zone: zone}
			end, ok := p.hush(at.UTC())
			got := ""
			if ok {
				got = end.In(zone).Format(time.RFC3339)
			}
			if got != c.end {
				t.Errorf("at %v: got %q, want %q", at, got, c.end)
			}
		})
	}
	// Hours that cover every hour end some time, to be looked at again.
	p := Prefs{Quiet: []Hours{{}}, Zone: time.UTC}
	if end, ok := p.hush(start); !ok || !end.After(start) || end.Sub(start) > 9*24*time.Hour {
		t.Errorf("quiet for ever ends %v, %v", end, ok)
	}
}

// Whatever the clock does, hours end after they begin, and what is asked in them has the
// same answer.
func TestHoursOfAYear(t *testing.T) {
	for _, name := range []string{"UTC", "Europe/Berlin", "America/Santiago", "Australia/Lord_Howe", "Asia/Kathmandu"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"22:00-08:00", "00:00-02:30", "02:30-03:30", "Sat,12:00-12:00"} {
			p := Prefs{Quiet: []Hours{hours(t, text)}, Zone: zone}
			var last time.Time
			for at := start; at.Before(start.AddDate(1, 0, 0)); at = at.Add(10 * time.Minute) {
				end, ok := p.hush(at)
				switch {
				case ok && !end.After(at):
					t.Fatalf("%s %s: at %v it has ended %v", name, text, at, end)
				case ok && at.Before(last) && !end.Equal(last):
					t.Fatalf("%s %s: at %v it ends %v, before it was %v", name, text, at, end, last)
				case !ok && at.Before(last):
					t.Fatalf("%s %s: at %v it is over, before it was %v", name, text, at, last)
				}
				if ok {
					last = end
				}
			}
		}
	}
}
