package tray

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"deskbell/engine"
)

// entry is a verb in the menu. What it lists is under it; one that lists nothing is
// clicked itself.
type entry struct {
	verb, title string
	under       func(page) []Item
}

// verbs are the submenus about sessions.
var verbs = []entry{
	{Resume, "Resume", page.resumes},
	{Sleep, "Sleep", page.sleeps},
	{Mute, "Mute", page.mutes},
	{Alert, "Alert", page.alerts},
	{Pin, "Pin", page.pins},
	{Begin, "New session", page.folders},
}

// block is those of the entries that can be carried out, and a line below them.
func (g page) block(all []entry) []Item {
	items := g.entries(all)
	if len(items) > 0 {
		items = append(items, Item{Rule: true})
	}
	return items
}

// entries are those that can be carried out. One with nothing to act on is disabled
// and not left out: what stands in a menu keeps its place.
func (g page) entries(all []entry) (items []Item) {
	for _, e := range all {
		switch {
		case !g.Can[e.verb]:
		case e.under == nil:
			items = append(items, Item{Title: e.title, Act: Act{Verb: e.verb}})
		default:
			under := e.under(g)
			items = append(items, Item{Title: e.title, Sub: true, Off: len(under) == 0, Under: under})
		}
	}
	return items
}

const (
	maxBack   = 10             // sessions that can be resumed
	lately    = 24 * time.Hour // ... when they ended in it
	maxListed = 20             // sessions under a verb
	maxEntry  = 40             // runes of one; the title gives way
)

// resumable is whoever sleeps, and then whoever ended lately, each the last first.
func resumable(s engine.Snapshot) []engine.Session {
	back := slices.DeleteFunc(slices.Clone(s.Sessions), func(one engine.Session) bool {
		ended := one.Status == engine.Ended && one.Resumable && s.At.Sub(one.Since) < lately
		return one.Status != engine.Asleep && !ended
	})
	slices.SortStableFunc(back, func(a, b engine.Session) int {
		return cmp.Or(cmp.Compare(a.Status.Urgency(), b.Status.Urgency()), b.Since.Compare(a.Since), older(a.ID, b.ID))
	})
	return back[:min(len(back), maxBack)]
}

func (g page) resumes() (items []Item) {
	for i := range g.back {
		s := &g.back[i]
		shape, _ := s.Look()
		title := shape + " " + g.name(s)
		if s.Status == engine.Ended {
			title += " · " + clock(s.Since, g.now, g.Zone)
		}
		items = append(items, Item{Title: title, Act: Act{Verb: Resume, Session: s.ID}})
	}
	return items
}

// sleeps is whoever does nothing and would lose nothing by it.
func (g page) sleeps() []Item {
	rests := func(s *engine.Session) bool {
		busy := s.Shells > 0 || s.Queue > 0 || running(s) > 0
		return (s.Status == engine.Idle || s.Status == engine.Waiting) && !busy && !s.HandsOff && s.Resumable
	}
	return g.list(rests, nil, func(bool) Act { return Act{Verb: Sleep} })
}

func (g page) mutes() []Item {
	items := []Item{
		{Title: tick(false) + "All for 1 hour", Act: Act{Verb: Mute, Arg: "1h"}},
		{Title: tick(false) + "All until tomorrow", Act: Act{Verb: Mute, Arg: Tomorrow}},
	}
	if g.AllMuted {
		title := tick(true) + "All"
		if !g.MutedUntil.IsZero() {
			title += " until " + clock(g.MutedUntil, g.now, g.Zone)
		}
		items = append(items, Item{Title: title, Act: Act{Verb: Unmute}})
	}
	one := g.list(live, func(s *engine.Session) bool { return s.Muted }, func(muted bool) Act {
		if muted {
			return Act{Verb: Unmute}
		}
		return Act{Verb: Mute}
	})
	if len(one) == 0 { // the line above them cannot be taken away again
		one = []Item{{Title: tick(false) + nobody, Off: true}}
	}
	return append(append(items, Item{Rule: true, Room: 3}), one...)
}

func (g page) alerts() []Item {
	return g.list(live, func(s *engine.Session) bool { return s.Alert }, turn(Alert))
}

func (g page) pins() []Item {
	return g.list(nil, func(s *engine.Session) bool { return s.Pinned }, turn(Pin))
}

func live(s *engine.Session) bool { return s.Status.Live() }

// turn is what a click makes of a switch.
func turn(verb string) func(on bool) Act {
	return func(on bool) Act {
		if on {
			return Act{Verb: verb, Arg: "off"}
		}
		return Act{Verb: verb, Arg: "on"}
	}
}

// list lists the sessions that suit a verb; nil: all do. Those that are ticked have it
// already, and a click says what it then means. Where there are too many, the ticked
// ones stay, and then those the menu begins with. They come by name: in the order of
// the menu every change of a status would turn the lists over, which costs, and nobody
// would find anything.
func (g page) list(suits, ticked func(*engine.Session) bool, act func(ticked bool) Act) (items []Item) {
	var all []*engine.Session
	for i := range g.shown {
		if s := &g.shown[i]; suits == nil || suits(s) {
			all = append(all, s)
		}
	}
	rest := len(all) - maxListed
	if rest > 0 {
		if ticked != nil {
			all = slices.Concat(only(all, ticked, true), only(all, ticked, false))
		}
		all = all[:maxListed]
	}
	slices.SortFunc(all, func(a, b *engine.Session) int {
		return cmp.Or(
			strings.Compare(strings.ToLower(project(a)), strings.ToLower(project(b))),
			cmp.Compare(g.number[a.ID], g.number[b.ID]), older(a.ID, b.ID))
	})
	for _, s := range all {
		title, on := g.name(s), false
		if ticked != nil {
			on = ticked(s)
			title = tick(on) + title
		}
		a := act(on)
		a.Session = s.ID
		items = append(items, Item{Title: title, Act: a})
	}
	return append(items, more(rest)...)
}

func only(all []*engine.Session, is func(*engine.Session) bool, want bool) (some []*engine.Session) {
	for _, s := range all {
		if is(s) == want {
			some = append(some, s)
		}
	}
	return some
}

// name is what a session is called in a list.
func (g page) name(s *engine.Session) string {
	name := called(s, g.number[s.ID])
	if text := about(s, max(maxEntry-length(name), minTitle)); text != "" {
		name += ": " + text
	}
	return name
}
