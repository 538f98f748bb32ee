package tray

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"deskbell/engine"
)

// Whatever a session is called, its row is one line of a sane length.
func FuzzRow(f *testing.F) {
	f.Add("app", "Fix the login", "Bash: npm test", "Explore", "backend", uint8(engine.Approval))
	f.Add("", "a\nb\x00\x1b[31m\u202e\xff", "", "", "", uint8(engine.Idle))
	f.Add("מערכת", "תקן את הכניסה", "e\u0301\u200d\u200d", "", "\u2066", uint8(engine.Waiting))
	f.Add("app", "app #2147483648999999999999: x", strings.Repeat("x", 999), strings.Repeat("y", 99), "", uint8(engine.Input))
	f.Fuzz(func(t *testing.T, project, title, asks, by, room string, status uint8) {
		s := engine.Session{ID: "s1", Status: engine.Status(status % uint8(len(gaps)+1)), Project: project, Title: title, Asks: asks, AsksBy: by}
		s.Room, s.Since, s.NeedsYou, s.Guess = room, noon, s.Status.NeedsYou(), true
		p := able(Prefs{Zone: time.UTC, Notes: []string{title}, Recent: []string{title, asks}})
		p.Hooks = []Hook{{Title: title, State: asks}}
		items := Build(engine.Snapshot{At: noon, Sessions: []engine.Session{s}}, p).Items
		for _, item := range items {
			items = append(items, item.Under...)
		}
		for _, item := range items {
			if !utf8.ValidString(item.Title) || strings.ContainsFunc(item.Title, unicode.IsControl) {
				t.Errorf("not a line: %q", item.Title)
			}
			if n := length(item.Title); n > 180 {
				t.Errorf("%d runes: %q", n, item.Title)
			}
			if strings.Count(item.Title, "\u2068") != strings.Count(item.Title, "\u2069") {
				t.Errorf("an isolate is open: %q", item.Title)
			}
		}
	})
}
