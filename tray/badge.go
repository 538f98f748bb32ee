package tray

import (
	"fmt"
	"unicode/utf16"

	"deskbell/engine"
)

// Kind is what the icon says at a glance.
type Kind uint8

// The kinds of icon.
const (
	None  Kind = iota // no session
	Quiet             // sessions, none of them busy
	Busy              // some work, nobody needs you
	Needs             // somebody needs you
)

// Icon is the tray icon and what is written next to it.
type Icon struct {
	Kind   Kind
	Status engine.Status // the worst of those that need you
	Count  int           // how many need you
	Muted  bool          // all of them
	Wrong  bool          // something is wrong with deskbell itself
	Tip    string        // the tooltip
	Text   string        // beside the icon, on the one system that shows it
}

// most is the greatest number the icon shows; beyond it says "9+".
const most = 9

// picture is the icon without its words: equal pictures look the same.
func (i Icon) picture() Icon {
	i.Tip, i.Text = "", ""
	i.Count = min(i.Count, most+1)
	if i.Kind != Needs {
		i.Status, i.Count = engine.Unknown, 0
	}
	return i
}

// maxTip is what Windows takes, in UTF-16 units, without the closing zero.
const maxTip = 127

func icon(shown []engine.Session, p Prefs, sum string) Icon {
	i := Icon{Muted: p.AllMuted || silenced(shown), Wrong: len(p.Notes) > 0, Tip: sum}
	busy := 0
	for k := range shown {
		s := &shown[k]
		switch {
		case s.NeedsYou && !quietGuess(s, p):
			if i.Count == 0 || s.Status.Urgency() < i.Status.Urgency() {
				i.Status = s.Status
			}
			i.Count++
		case s.Status == engine.Working || s.Status == engine.Prompting:
			busy++
		}
	}
	switch {
	case i.Count > 0:
		i.Kind = Needs
	case busy > 0:
		i.Kind = Busy
	case anyOf(shown, live):
		i.Kind = Quiet
	}
	i.Text = beside(i, busy)
	if i.Muted {
		i.Tip += " · muted"
	}
	for len(utf16.Encode([]rune(i.Tip))) > maxTip {
		i.Tip = cut(i.Tip, len([]rune(i.Tip))-1)
	}
	return i
}

// quietGuess reports whether a session only seems to need you, and would have
// said so itself if it did.
func quietGuess(s *engine.Session, p Prefs) bool {
	return s.Guess && s.Reports && !p.LoudGuesses
}

// beside is the text next to a picture that has no colours: how many need you,
// of how many that need you or work.
func beside(i Icon, busy int) string {
	var text string
	switch {
	case busy > 0:
		text = fmt.Sprintf("%d/%d", i.Count, i.Count+busy)
	case i.Count > 0:
		text = fmt.Sprint(i.Count)
	}
	if i.Wrong {
		text += "!"
	}
	return text
}

// silenced reports whether each session is muted by itself.
func silenced(shown []engine.Session) bool {
	loud := func(s *engine.Session) bool { return live(s) && !s.Muted }
	return anyOf(shown, live) && !anyOf(shown, loud)
}

func anyOf(all []engine.Session, is func(*engine.Session) bool) bool {
	for i := range all {
		if is(&all[i]) {
			return true
		}
	}
	return false
}
