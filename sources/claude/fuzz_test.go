package claude

import (
	"errors"
	"strings"
	"testing"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/clitest"
)

func FuzzSession(f *testing.F) {
	for _, text := range clitest.Seeds(f, (*clitest.Recording).Texts) {
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
			clitest.Sound(t, tool, got)
		}
	})
}

func FuzzTranscript(f *testing.F) {
	for _, text := range clitest.Seeds(f, (*clitest.Recording).Lines) {
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
		clitest.Sound(t, tool, got)
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
