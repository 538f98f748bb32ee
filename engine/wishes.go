package engine

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// Wish is one thing you can ask for about a session.
type Wish uint8

// The wishes.
const (
	ToLabel  Wish = iota // Text: the name of a label
	ToRoom               // Text: the room
	ToRename             // Text: what you call it
	ToPin
	ToMute // Until: when that ends; zero: when you say so
	ToAlert
	ToShare
	ToHandsOff
	ToCentral
	wishes
)

// wishBook is what the wishes are called, and what becomes of them.
var wishBook = [wishes]struct {
	name string
	set  func(e *Engine, p *Prefs, f Wished)
}{
	ToLabel: {"label", func(e *Engine, p *Prefs, f Wished) {
		if !f.On {
			p.Label = nil
		} else if l, known := e.label(f.Text); known {
			p.Label = &l
		}
	}},
	ToRoom:     {"room", func(_ *Engine, p *Prefs, f Wished) { p.Room = f.text() }},
	ToRename:   {"rename", func(_ *Engine, p *Prefs, f Wished) { p.Name = f.text() }},
	ToPin:      {"pin", func(_ *Engine, p *Prefs, f Wished) { p.Pinned = f.On }},
	ToMute:     {"mute", func(_ *Engine, p *Prefs, f Wished) { p.Muted, p.MutedUntil = f.On, f.until() }},
	ToAlert:    {"alert", func(_ *Engine, p *Prefs, f Wished) { p.Alert = f.On }},
	ToShare:    {"share", func(_ *Engine, p *Prefs, f Wished) { p.Shared = f.On }},
	ToHandsOff: {"hands_off", func(_ *Engine, p *Prefs, f Wished) { p.HandsOff = f.On }},
	ToCentral:  {"central", func(_ *Engine, p *Prefs, f Wished) { p.Central = f.On }},
}

func wishNames() (names []string) {
	for _, w := range wishBook {
		names = append(names, w.name)
	}
	return names
}

func (w Wish) String() string { return name(wishNames(), int(w)) }

// MarshalText writes the wish as the name of its act.
func (w Wish) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText is the inverse of [Wish.MarshalText].
func (w *Wish) UnmarshalText(text []byte) error {
	i, err := index("wish", wishNames(), string(text))
	*w = Wish(i)
	return err
}

func (f Wished) text() string {
	if !f.On {
		return ""
	}
	return Tidy(f.Text)
}

func (f Wished) until() time.Time {
	if !f.On || f.Until.IsZero() {
		return time.Time{}
	}
	return f.Until.UTC()
}

// wish does what you asked for. A session goes on having it, whatever conversation and
// whatever process it goes over to.
func (e *Engine) wish(w Who, f Wished) {
	for _, s := range e.order {
		if s.view.ID == w.Card && f.Wish < wishes {
			wishBook[f.Wish].set(e, &s.prefs, f)
			e.touch(s)
		}
	}
}

// inherit takes over from another card of the same session what p has not.
func (p *Prefs) inherit(o Prefs) {
	if p.Label == nil {
		p.Label = o.Label
	}
	for _, t := range []struct {
		to   *string
		from string
	}{{&p.Room, o.Room}, {&p.Name, o.Name}} {
		if *t.to == "" {
			*t.to = t.from
		}
	}
	if !p.Muted {
		p.Muted, p.MutedUntil = o.Muted, o.MutedUntil
	}
	for _, t := range []struct {
		to   *bool
		from bool
	}{{&p.Pinned, o.Pinned}, {&p.Alert, o.Alert}, {&p.Shared, o.Shared}, {&p.HandsOff, o.HandsOff}, {&p.Central, o.Central}} {
		*t.to = *t.to || t.from
	}
}

// Hush is a mute of a folder and all below it, or of all sessions.
type Hush struct {
	Dir   string    `json:"dir,omitempty"`  // "": all
	Until time.Time `json:"until,omitzero"` // zero: until you say so
}

// hushesKept bounds the folders that are muted.
const hushesKept = 200

func (e *Engine) hush(f Hushed) {
	e.hushed = slices.DeleteFunc(e.hushed, func(h Hush) bool { return h.Dir == f.Dir })
	if f.On {
		h := Hush{Dir: f.Dir}
		if !f.Until.IsZero() {
			h.Until = f.Until.UTC()
		}
		e.hushed = append(e.hushed, h)
		e.hushed = e.hushed[max(0, len(e.hushed)-hushesKept):]
	}
	e.rehushed = true
}

// unhush ends what is over by now, and tells when the next is.
func (e *Engine) unhush() (next time.Time) {
	n := len(e.hushed)
	e.hushed = slices.DeleteFunc(e.hushed, func(h Hush) bool { return !h.Until.IsZero() && !e.now.Before(h.Until) })
	e.rehushed = e.rehushed || len(e.hushed) != n
	for _, h := range e.hushed {
		if !h.Until.IsZero() && (next.IsZero() || h.Until.Before(next)) {
			next = h.Until
		}
	}
	return next
}

// Tidy makes one line of what somebody typed: no control characters, and nothing that
// turns the direction of writing.
func Tidy(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == unicode.ReplacementChar, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}
