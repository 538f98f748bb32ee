package notify

import (
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // for systems without zones
)

// pref sets what one asked for from a word of a scenario.
func (p *player) pref(kv string) {
	key, val, _ := strings.Cut(kv, "=")
	on, when := val == "yes", time.Time{}
	span, err := time.ParseDuration(val)
	if err == nil {
		when = start.Add(span)
	}
	switch key {
	case "guesses":
		p.prefs.Guesses = val
	case "machine_turns":
		p.prefs.MachineTurns = on
	case "min_turn":
		p.prefs.MinTurn = span
	case "remind":
		p.prefs.Remind = span
	case "remind_most":
		p.prefs.RemindMost, err = strconv.Atoi(val)
		if err != nil {
			p.t.Fatal(err)
		}
	case "details":
		p.prefs.Details = val
	case "sound":
		p.prefs.NoSound = !on
	case "can_look":
		p.prefs.CanLook = on
	case "muted":
		p.prefs.Muted, p.prefs.MutedUntil = on || !when.IsZero(), when
	case "off":
		p.prefs.Off = kindSet(val)
	case "folder": // DIR or DIR,DUR since the start
		dir, until, timed := strings.Cut(val, ",")
		f := FolderMute{Dir: dir}
		if span, err := time.ParseDuration(until); timed && err == nil {
			f.Until = start.Add(span)
		}
		p.prefs.Folders = append(p.prefs.Folders, f)
	case "rule": // DIR:WORD,WORD: mute alert min_turn/DUR details/WORD off/KIND
		p.prefs.Rules = append(p.prefs.Rules, p.rule(val))
	case "quiet": // HH:MM-HH:MM or DAYS,HH:MM-HH:MM
		p.prefs.Quiet = append(p.prefs.Quiet, hours(p.t, val))
	case "zone":
		if p.prefs.Zone, err = time.LoadLocation(val); err != nil {
			p.t.Fatal(err)
		}
	default:
		p.t.Fatalf("what is %q?", kv)
	}
}

func kindSet(val string) map[Kind]bool {
	set := map[Kind]bool{}
	for k := range strings.SplitSeq(val, ",") {
		set[Kind(k)] = true
	}
	return set
}

func (p *player) rule(val string) (r Rule) {
	dir, words, _ := strings.Cut(val, ":")
	if dir != "*" {
		r.Holds = func(in string) bool { return within(in, dir) }
	}
	for w := range strings.SplitSeq(words, ",") {
		key, val, _ := strings.Cut(w, "/")
		switch key {
		case "mute":
			r.Mute = true
		case "alert":
			r.Alert = true
		case "min_turn":
			d, err := time.ParseDuration(val)
			if err != nil {
				p.t.Fatal(err)
			}
			r.MinTurn = &d
		case "details":
			r.Details = val
		case "off":
			r.Off = kindSet(val)
		default:
			p.t.Fatalf("what is %q?", w)
		}
	}
	return r
}

func hours(t *testing.T, val string) (h Hours) {
	days, span, found := strings.Cut(val, ",")
	if !found {
		days, span = "", days
	}
	for day := time.Sunday; day <= time.Saturday && days != ""; day++ {
		h.Days[day] = strings.Contains(days, day.String()[:3])
	}
	from, to, _ := strings.Cut(span, "-")
	clock := func(text string) time.Duration {
		at, err := time.Parse("15:04", text)
		if err != nil {
			t.Fatal(err)
		}
		return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
	}
	h.From, h.To = clock(from), clock(to)
	return h
}
