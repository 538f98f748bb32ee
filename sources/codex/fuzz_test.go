package codex

import (
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/clitest"
)

// sound checks what must hold of every event, whatever was read.
func sound(t *testing.T, events []engine.Event) {
	t.Helper()
	clitest.Sound(t, tool, events)
	for _, ev := range events {
		if !form.MatchString(ev.Who.ID) {
			t.Errorf("%+v", ev)
		}
	}
}

func FuzzRollout(f *testing.F) {
	for _, text := range append(clitest.Seeds(f, (*clitest.Recording).Lines), tui, spawnd) {
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
