package claude

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/clitest"
)

// seeds are what the recordings have of one kind, without what is alike.
func seeds(f *testing.F, of func(*clitest.Recording) []string) (out []string) {
	f.Helper()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		f.Fatalf("no recordings: %v", err)
	}
	alike := map[string]bool{}
	for _, file := range files {
		rec, err := clitest.Load(file)
		if err != nil {
			f.Fatal(err)
		}
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

// sound checks what must hold of every event, whatever was read.
func sound(t *testing.T, events []engine.Event) {
	t.Helper()
	for _, ev := range events {
		if ev.Who.Tool != tool || ev.By == engine.Clock || ev.Fact == nil || ev.Who.PID < 0 || ev.Who.ID == "" && ev.Who.PID == 0 {
			t.Errorf("%+v", ev)
		}
		switch f := ev.Fact.(type) {
		case engine.Described:
			line(t, f.Title, longest)
			line(t, f.Prompt, 60)
			line(t, f.Model, longest)
			line(t, f.Mode, longest)
			line(t, f.Effort, longest)
		case engine.CallOpened:
			line(t, f.Text, longest)
			line(t, f.Name, longest)
		case engine.Asked:
			line(t, f.Text, longest)
			line(t, f.Name, longest)
		case engine.AgentRan:
			line(t, f.Task, longest)
			line(t, f.Type, longest)
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

func FuzzSession(f *testing.F) {
	for _, text := range seeds(f, (*clitest.Recording).Texts) {
		f.Add("sessions/41.json", []byte(text))
	}
	f.Add("sessions/pid-41.json", []byte(`{"session_id":"x","cwd":"/"}`))
	f.Add("sessions/41.aa.key", []byte(nil))
	f.Fuzz(func(t *testing.T, rel string, text []byte) {
		for _, read := range []func(sources.File) ([]engine.Event, error){session, starting, meta} {
			got, err := read(sources.File{Rel: rel, Text: text, Mod: mod})
			if err != nil && len(got) > 0 {
				t.Errorf("%v, and yet %v", err, got)
			}
			sound(t, got)
		}
	})
}

func FuzzTranscript(f *testing.F) {
	for _, text := range seeds(f, (*clitest.Recording).Lines) {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, agent bool) {
		log := mainLog
		if agent {
			log = agentLog
		}
		got, err := transcript(log, text)
		if err != nil && len(got) > 0 {
			t.Errorf("%v, and yet %v", err, got)
		}
		sound(t, got)
	})
}

func FuzzSettings(f *testing.F) {
	for _, text := range []string{
		`{}`, `{"disableAllHooks":true}`, `{"hooks":{"PermissionRequest":[{"matcher":"*","hooks":[{"type":"command","command":"x","async":true}]}]}}`,
		`{"hooks":{"Stop":[{"hooks":[{"type":"http","url":"http://x","timeout":3}]}]}}`, `{"hooks":[]}`, `[]`, ``,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		with := func(string) ([]byte, error) { return text, nil }
		first := func(file string) ([]byte, error) {
			if strings.HasPrefix(file, "/home/dev/.claude/") {
				return text, nil
			}
			return nil, errors.New("no such file")
		}
		if got, alone := answers("/home/dev/.claude", "/home/dev/proj", with), answers("/home/dev/.claude", "", first); got != alone {
			t.Errorf("three times the same: %v, once: %v", got, alone)
		}
	})
}
