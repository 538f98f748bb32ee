// Package tray shows a snapshot as an icon and a menu in the system tray.
//
// [Build] turns a snapshot into a [Menu], a plain value, and [Pool.Diff] tells
// how the screen must change to agree with it; [Tray] makes it so.
package tray

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"deskbell/engine"
)

// Menu is everything the tray shows.
type Menu struct {
	Icon  Icon
	Items []Item
}

// Item is one row of the menu. A row with rows under it is a submenu and cannot
// be clicked itself; submenus are one level deep.
type Item struct {
	Title string
	Off   bool // shown, but cannot be clicked
	Act   Act
	Under []Item
	Sub   bool // a submenu, even while nothing is under it

	Rule bool // a separating line; all else but Room is ignored
	Room int  // how many rows may come to stand between the rule before and this one
}

func (i Item) sub() bool { return i.Sub || len(i.Under) > 0 }

// Act is what a click asks for. The zero Act asks for nothing.
type Act struct {
	Verb    string
	Session engine.ID // empty: all sessions, or none in particular
	Arg     string    // what the verb is to be done with, see there
}

// The verbs of the menu.
const (
	Open = "open" // go to the session, or bring it back
	Next = "next" // go to the next session that needs you
	Quit = "quit" // end deskbell

	Resume   = "resume"     // bring the session back
	Sleep    = "sleep"      // end its CLI to free memory
	Mute     = "mute"       // Arg, for all sessions: "1h" or [Tomorrow]; one session: until it is unmuted
	Unmute   = "unmute"     // one, or what was muted for all
	Alert    = "alert"      // Arg: "on" or "off"
	Pin      = "pin"        // Arg: "on" or "off"
	Begin    = "new"        // Arg: the folder to begin a session in
	Turns    = "turns"      // Arg: how long a turn must have been for "your turn", or [Never]
	IdleTime = "idle_sleep" // Arg: how long an idle session is left awake, or [Never]
	Hooks    = "hooks"      // Arg: what to do and for which tool, "install claude"
	Board    = "board"      // open the board
	Settings = "settings"   // open the configuration
)

// What stands for a length of time in an [Act].
const (
	Tomorrow = "tomorrow" // until the next morning
	Never    = "never"
)

// Prefs is what a menu depends on beside the snapshot.
type Prefs struct {
	Zone        *time.Location // times of day are told in it; nil: the local one
	Notes       []string       // what is wrong with deskbell itself, a line each
	AllMuted    bool           // no session may make itself heard
	MutedUntil  time.Time      // ... until then; zero: until that is taken back
	LoudGuesses bool           // guesses count in the badge, whoever reports

	// Can holds the verbs this deskbell can carry out, beside [Open] and [Quit]. What
	// it cannot is not in the menu.
	Can map[string]bool

	Memory   int64         // what all sessions take together, see [Memory]; 0: not known
	Recent   []string      // folders to begin a session in, the last used first
	MinTurn  time.Duration // shorter turns end without "your turn"
	NoTurns  bool          // all turns do
	IdleTime time.Duration // how long an idle session is left awake; 0: for ever
	Hooks    []Hook
}

const (
	maxRows  = 20 // sessions
	maxNotes = 4
)

// Build lays out a snapshot. Of the ended sessions in it the pinned ones are shown,
// and the last ones can be resumed.
func Build(s engine.Snapshot, p Prefs) Menu {
	shown, back := arrange(s.Sessions), resumable(s)
	g := page{now: s.At, shown: shown, back: back, number: numbers(shown, back), Prefs: p}
	m := Menu{Icon: icon(shown, p, summary(shown))}
	add := func(one ...Item) { m.Items = append(m.Items, one...) }

	add(Item{Title: g.header(), Off: true})
	for _, note := range notes(p.Notes) {
		add(Item{Title: "⚠ " + cut(clean(note), maxAsk), Off: true})
	}
	for i := range shown[:min(len(shown), maxRows)] {
		one := &shown[i]
		add(Item{Title: row(one, g.number[one.ID], s.At, p.Zone), Act: Act{Verb: Open, Session: one.ID}})
	}
	add(more(len(shown) - maxRows)...)
	add(Item{Rule: true, Room: 1 + maxNotes + maxRows + 1})
	add(g.block(verbs)...)
	add(g.entries(settings)...)
	add(Item{Title: "Quit deskbell", Act: Act{Verb: Quit}})
	return m
}

// page is what the parts of a menu are made of.
type page struct {
	now    time.Time
	shown  []engine.Session // in the order of the menu
	back   []engine.Session // those that can be resumed
	number map[engine.ID]int
	Prefs
}

func (g page) header() string {
	sum := summary(g.shown)
	if g.Memory > 0 {
		sum += " · ≈ " + engine.Sized(g.Memory)
	}
	return sum
}

// more says how many sessions are not listed, if any.
func more(n int) []Item {
	if n <= 0 {
		return nil
	}
	return []Item{{Title: fmt.Sprintf("… %d more", n), Off: true}}
}

// notes keeps what fits and says how much did not.
func notes(all []string) []string {
	if len(all) <= maxNotes {
		return all
	}
	rest := len(all) - (maxNotes - 1)
	return append(slices.Clone(all[:maxNotes-1]), fmt.Sprintf("%d more problems", rest))
}

// group is a stretch of the menu, in the order of the menu.
type group uint8

const (
	pinned group = iota
	needsYou
	unseen
	working
	idle
	asleep
	hidden
)

func groupOf(s *engine.Session) group {
	switch {
	case s.Status == engine.Unknown:
		return hidden
	case s.Pinned:
		return pinned
	case s.NeedsYou:
		return needsYou
	}
	switch s.Status {
	case engine.Working, engine.Prompting, engine.Connecting:
		return working
	case engine.Asleep:
		return asleep
	case engine.Ended:
		return hidden
	}
	if s.Unseen {
		return unseen
	}
	return idle
}

// arrange returns the sessions that are shown, in the order of the menu. Where
// something goes on the new one goes last, so that rows do not move under the
// pointer; what rests comes latest first, so that the cut hits the oldest.
func arrange(all []engine.Session) []engine.Session {
	shown := slices.DeleteFunc(slices.Clone(all), func(s engine.Session) bool { return groupOf(&s) == hidden })
	slices.SortStableFunc(shown, func(a, b engine.Session) int {
		g := groupOf(&a)
		if c := cmp.Compare(g, groupOf(&b)); c != 0 {
			return c
		}
		var c int
		switch g {
		case pinned: // stay where they are
		case needsYou, working:
			c = cmp.Or(cmp.Compare(a.Status.Urgency(), b.Status.Urgency()), a.Since.Compare(b.Since))
		default:
			c = b.Since.Compare(a.Since)
		}
		return cmp.Or(c, older(a.ID, b.ID))
	})
	return shown
}

// older compares ids by their age: "s9" is older than "s10".
func older(a, b engine.ID) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

const nobody = "No sessions"

// summary is the state of all sessions in one line.
func summary(shown []engine.Session) string {
	var needs, sure, seen, busy, starts, rests, sleeps int
	for i := range shown {
		switch s := &shown[i]; {
		case s.NeedsYou:
			needs++
			if !s.Guess {
				sure++
			}
		case s.Status == engine.Working || s.Status == engine.Prompting:
			busy++
		case s.Status == engine.Connecting:
			starts++
		case s.Status == engine.Asleep:
			sleeps++
		case s.Status == engine.Ended:
		case s.Unseen:
			seen++
		default:
			rests++
		}
	}
	needWord := "need you"
	if needs == 1 {
		needWord = "needs you"
	}
	if sure == 0 {
		needWord += "?"
	}
	var parts []string
	for _, part := range []struct {
		n    int
		word string
	}{
		{needs, needWord}, {seen, "finished unseen"}, {busy, "working"}, {starts, "starting"}, {rests, "idle"}, {sleeps, "asleep"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.word))
		}
	}
	if len(parts) == 0 {
		return nobody
	}
	return strings.Join(parts, " · ")
}
