package codex

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/clitest"
)

// seeds are the lines of the recordings, without what is alike.
func seeds(f *testing.F) (out []string) {
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
		for _, text := range rec.Lines() {
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
		if ev.Who.Tool != tool || ev.By == engine.Clock || ev.Fact == nil || !form.MatchString(ev.Who.ID) {
			t.Errorf("%+v", ev)
		}
		switch f := ev.Fact.(type) {
		case engine.Described:
			oneOf(t, f.Title, longest)
			oneOf(t, f.Prompt, 60)
			oneOf(t, f.Model, longest)
			oneOf(t, f.Mode, longest)
		case engine.CallOpened:
			oneOf(t, f.Text, longest)
			oneOf(t, f.Name, longest)
		case engine.Asked:
			oneOf(t, f.Text, longest)
			oneOf(t, f.Name, longest)
		case engine.AgentRan:
			oneOf(t, f.Task, longest)
			oneOf(t, f.Type, longest)
		}
	}
}

// oneOf checks that a text is one printable line of at most so many characters.
func oneOf(t *testing.T, s string, most int) {
	t.Helper()
	if !utf8.ValidString(s) || utf8.RuneCountInString(s) > most || strings.ContainsFunc(s, unicode.IsControl) || s != strings.TrimSpace(s) {
		t.Errorf("%d characters: %.300q", utf8.RuneCountInString(s), s)
	}
}

func FuzzRollout(f *testing.F) {
	for _, text := range append(seeds(f), tui, spawnd) {
		f.Add([]byte(tui), []byte(text))
		f.Add([]byte(text), []byte(text))
		f.Add([]byte(spawnd), []byte(text))
	}
	f.Fuzz(func(t *testing.T, first, text []byte) {
		read := rollout(log, first)
		if read == nil {
			return
		}
		got, err := read(text)
		if err != nil && len(got) > 0 {
			t.Errorf("%v, and yet %v", err, got)
		}
		sound(t, got)
	})
}

func FuzzHook(f *testing.F) {
	for _, event := range []string{"Stop", "PreToolUse", "PermissionRequest", "SubagentStart"} {
		f.Add([]byte(hooked(event, `"tool_name":"Bash","tool_input":{"command":["a"]},"agent_id":"x"`).Payload))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := hook(sources.Hook{Payload: text, At: time.Unix(9, 0), PID: 41})
		if err != nil && len(got) > 0 {
			t.Errorf("%v, and yet %v", err, got)
		}
		sound(t, got)
	})
}

func FuzzRuns(f *testing.F) {
	f.Add(vendor + "\x00resume\x00" + id + "\x00-C\x00/w")
	f.Add("codex\x00--cd=x\x00--")
	f.Fuzz(func(t *testing.T, args string) {
		w, is := runs(sources.Proc{PID: 7, Args: strings.Split(args, "\x00"), TTY: "/dev/pts/1"})
		if is != (w.Tool == tool) || w.ID != "" && !form.MatchString(w.ID) {
			t.Errorf("%q: %+v %v", args, w, is)
		}
	})
}
