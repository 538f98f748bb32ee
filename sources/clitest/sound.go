package clitest

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"deskbell/engine"
	"deskbell/sources"
)

// Seeds are what the recordings in testdata have of one kind, without what is alike, to
// fuzz a parser with.
func Seeds(f *testing.F, of func(*Recording) []string) (out []string) {
	f.Helper()
	alike := map[string]bool{}
	for _, rec := range All(f) {
		for _, text := range of(rec) {
			shape := strings.Map(func(c rune) rune {
				if unicode.IsDigit(c) || unicode.IsLower(c) {
					return -1
				}
				return c
			}, text)
			if !alike[shape] && len(text) < 8<<10 {
				alike[shape] = true
				out = append(out, text)
			}
		}
	}
	return out
}

// Payloads are what the CLI's hooks were called with.
func (r *Recording) Payloads() (texts []string) {
	for i := range r.entries {
		if e := &r.entries[i]; e.Raw == "hook" {
			texts = append(texts, string(e.Payload))
		}
	}
	return texts
}

// Sound checks what must hold of every event, whatever was read.
func Sound(t *testing.T, tool string, events []engine.Event) {
	t.Helper()
	for _, ev := range events {
		_, all := ev.Fact.(engine.Roster)
		if ev.Who.Tool != tool || ev.By == engine.Clock || ev.Fact == nil || ev.Who.PID < 0 || ev.Who.ID == "" && ev.Who.PID == 0 && !all {
			t.Errorf("%+v", ev)
		}
		switch f := ev.Fact.(type) {
		case engine.Described:
			line(t, f.Title, sources.Longest)
			line(t, f.Prompt, 60)
			line(t, f.Model, sources.Longest)
			line(t, f.Mode, sources.Longest)
			line(t, f.Effort, sources.Longest)
		case engine.CallOpened:
			line(t, f.Text, sources.Longest)
			line(t, f.Name, sources.Longest)
		case engine.Asked:
			line(t, f.Text, sources.Longest)
			line(t, f.Name, sources.Longest)
		case engine.AgentRan:
			line(t, f.Task, sources.Longest)
			line(t, f.Type, sources.Longest)
		}
	}
}

// FuzzHook calls the hooks of a CLI, by the names of events, with whatever payload.
func FuzzHook(f *testing.F, tool string, hook func(sources.Hook) ([]engine.Event, error), events ...string) {
	for _, text := range Seeds(f, (*Recording).Payloads) {
		for _, event := range events {
			f.Add(event, []byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, event string, payload []byte) {
		got, err := hook(sources.Hook{Event: event, Payload: payload, At: time.Unix(1, 0), PID: 7})
		if err != nil && len(got) > 0 {
			t.Errorf("%v, and yet %v", err, got)
		}
		Safe(t, tool, got)
	})
}

// Safe is Sound, and checks that no id could be taken for a path or a pattern, where the
// adapter does not look at its form later.
func Safe(t *testing.T, tool string, events []engine.Event) {
	t.Helper()
	Sound(t, tool, events)
	for _, ev := range events {
		if strings.ContainsAny(ev.Who.ID, `*?[/\`) {
			t.Errorf("the id is %q", ev.Who.ID)
		}
	}
}

// line checks that a text is one printable line of at most so many characters.
func line(t *testing.T, s string, most int) {
	t.Helper()
	if !utf8.ValidString(s) || utf8.RuneCountInString(s) > most || strings.ContainsFunc(s, unicode.IsControl) || s != strings.TrimSpace(s) {
		t.Errorf("%d characters: %.300q", utf8.RuneCountInString(s), s)
	}
}
