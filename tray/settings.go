package tray

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// settings are what a click changes of deskbell itself.
var settings = []entry{
	{Turns, `Notify "your turn"`, page.turns},
	{IdleTime, "Sleep idle sessions", page.idleTimes},
	{Hooks, "Hooks", page.hooks},
	{Board, "Board…", nil},
	{Settings, "Settings…", nil},
}

// Hook is the state of a tool's hooks.
type Hook struct {
	Tool  string // its name, part of the Arg
	Title string // what it is called in sentences
	State string // in words, "not installed"
	Do    string // what a click does about it, "install"; empty: nothing can be done
}

func (g page) hooks() (items []Item) {
	for _, h := range g.Hooks {
		title := isolate(cut(clean(h.Title+": "+h.State), maxAsk))
		if h.Do == "" {
			items = append(items, Item{Title: title, Off: true})
			continue
		}
		items = append(items, Item{Title: title + " · " + h.Do + "…", Act: Act{Verb: Hooks, Arg: h.Do + " " + h.Tool}})
	}
	return items
}

// What is offered. What is set and not among it is offered too.
var (
	turnTimes = []time.Duration{0, 15 * time.Second}
	idleTimes = []time.Duration{0, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour}
)

func (g page) turns() (items []Item) {
	for _, d := range with(turnTimes, g.MinTurn) {
		title := "Always"
		if d > 0 {
			title = "After turns of " + spell(d)
		}
		items = append(items, Item{Title: tick(!g.NoTurns && d == g.MinTurn) + title, Act: Act{Verb: Turns, Arg: short(d)}})
	}
	return append(items, Item{Title: tick(g.NoTurns) + "Never", Act: Act{Verb: Turns, Arg: Never}})
}

func (g page) idleTimes() (items []Item) {
	for _, d := range with(idleTimes, g.IdleTime) {
		title, arg := "Off", Never
		if d > 0 {
			title, arg = "After "+spell(d), short(d)
		}
		items = append(items, Item{Title: tick(d == g.IdleTime) + title, Act: Act{Verb: IdleTime, Arg: arg}})
	}
	return items
}

// with returns times with one more among them, in order.
func with(times []time.Duration, one time.Duration) []time.Duration {
	if i, found := slices.BinarySearch(times, one); !found {
		return slices.Insert(slices.Clone(times), i, one)
	}
	return times
}

// spell tells a length of time in words: "15 s", "1 h 30 min".
func spell(d time.Duration) string {
	var parts []string
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}} {
		if n := d / u.of; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, u.name))
			d -= n * u.of
		}
	}
	return cmp.Or(strings.Join(parts, " "), "0 s")
}

// short writes a length of time as Go reads it, without what is zero: "1h".
func short(d time.Duration) string {
	s := d.String()
	if rest, ok := strings.CutSuffix(s, "m0s"); ok {
		s = rest + "m"
	}
	if rest, ok := strings.CutSuffix(s, "h0m"); ok {
		s = rest + "h"
	}
	return s
}

const maxFolders = 10

// folders are told by their last name, and where that is not enough by more of them.
func (g page) folders() (items []Item) {
	var dirs []string
	for _, dir := range g.Recent {
		if dir != "" && !slices.Contains(dirs, dir) && len(dirs) < maxFolders {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		names := 1
		for last(dir, names) != last(dir, names+1) && shared(dirs, last(dir, names), names) {
			names++
		}
		items = append(items, Item{Title: isolate(cutLeft(clean(last(dir, names)), maxEntry)), Act: Act{Verb: Begin, Arg: dir}})
	}
	return items
}

// shared reports whether several folders end in so many names, and these.
func shared(dirs []string, end string, names int) bool {
	n := 0
	for _, dir := range dirs {
		if last(dir, names) == end {
			n++
		}
	}
	return n > 1
}

// last is the end of a path, so many names of it.
func last(dir string, names int) string {
	parts := strings.Split(slashed(dir), "/")
	return cmp.Or(strings.Join(parts[max(0, len(parts)-names):], "/"), "/")
}

func slashed(dir string) string { return path.Clean(strings.ReplaceAll(dir, `\`, "/")) }

// tick tells what is chosen from what is not. No font has a space as wide as the mark:
// so many bring the words into line as far as whole spaces can.
func tick(on bool) string {
	if on {
		return "✓ "
	}
	return "    "
}
