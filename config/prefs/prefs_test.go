package prefs

import (
	"slices"
	"testing"
	"time"

	"deskbell/config"
	"deskbell/engine"
	"deskbell/notify"
)

func read(t *testing.T, text string) config.Config {
	t.Helper()
	c, problems := config.Parse("config.toml", []byte(text), config.World{Home: "/home/ann"})
	for _, p := range problems {
		t.Error(p)
	}
	return c
}

// TestDefaults checks that without a configuration notices are as they are by themselves.
func TestDefaults(t *testing.T) {
	c := read(t, "")
	p := Notify(&c, notify.Words{Home: "/home/ann"})
	if p.Guesses == "always" || p.MachineTurns || p.MinTurn != 0 || p.NoSound || p.Remind != 2*time.Minute || p.RemindMost != 5 ||
		len(p.Quiet) > 0 || p.Details != "full" || p.Home != "/home/ann" || len(p.Rules) != 1 || len(p.Rules[0].Off) > 0 {
		t.Errorf("got %+v", p)
	}
	if m := Tray(config.State{Config: c}); m.LoudGuesses || len(m.Notes) > 0 {
		t.Errorf("got %+v", m)
	}
}

func TestNotify(t *testing.T) {
	c := read(t, `[notify]
guesses = "always"
machine_turns = true
min_turn = "1m"
sound = false
details = "tool"
remind = "30s"
remind_most = 2
quiet = ["sat 22:00-07:00"]
`)
	p := Notify(&c, notify.Words{})
	if p.Guesses != "always" || !p.MachineTurns || p.MinTurn != time.Minute || !p.NoSound || p.Remind != 30*time.Second || p.RemindMost != 2 || p.Details != "tool" {
		t.Errorf("got %+v", p)
	}
	want := notify.Hours{Days: [7]bool{time.Saturday: true}, From: 22 * time.Hour, To: 7 * time.Hour}
	if len(p.Quiet) != 1 || p.Quiet[0] != want {
		t.Errorf("got %+v, want %+v", p.Quiet, want)
	}
	for _, text := range []string{"[notify]\nremind = 0", "[notify]\nremind_most = 0"} {
		c := read(t, text)
		if p := Notify(&c, notify.Words{}); p.Remind >= 0 {
			t.Errorf("%q: got %v, want no reminder", text, p.Remind)
		}
	}
}

// TestRules checks with the planner which notices there are under rules.
func TestRules(t *testing.T) {
	c := read(t, `[notify]
kinds = ["approval", "input"]
[[rules]]
dir = "~/loud"
kinds = ["waiting"]
[[rules]]
dir = "~/long"
kinds = ["waiting"]
min_turn = "1h"
[[rules]]
dir = "~/mute"
mute = true
[[rules]]
dir = "~/alert"
alert = true
[[rules]]
dir = "~"
details = "none"
`)
	for _, test := range []struct {
		dir    string
		status engine.Status
		want   string
	}{
		{"/home/ann/loud", engine.Waiting, "waiting"},
		{"/home/ann/loud", engine.Approval, ""},
		{"/home/ann/long", engine.Waiting, ""},
		{"/home/ann/mute", engine.Approval, ""},
		{"/home/ann/alert/app", engine.Approval, "approval, critical"},
		{"/home/ann/alert", engine.Waiting, ""},
		{"/home/ann/x", engine.Approval, "approval"},
		{"/home/ann/x", engine.Waiting, ""},
		{"/srv", engine.Approval, "approval"},
		{"/srv", engine.Waiting, ""},
	} {
		prefs := Notify(&c, notify.Words{})
		var p notify.Planner
		now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
		s := engine.Session{ID: "s1", Dir: test.dir, BeganIn: test.dir, Status: engine.Working, Since: now, Turn: now, Loud: engine.Loudly}
		p.Apply(now, []engine.Transition{{Session: s}}, prefs)
		now = now.Add(time.Minute)
		s.Status, s.Since, s.NeedsYou = test.status, now, true
		p.Apply(now, []engine.Transition{{Session: s, From: engine.Working}}, prefs)
		raise, _, _ := p.Apply(now.Add(10*time.Second), nil, prefs)
		got := ""
		for _, n := range raise {
			got = string(n.Kind)
			if n.Critical {
				got += ", critical"
			}
		}
		if got != test.want {
			_, why, _ := p.State("s1")
			t.Errorf("%s %v: got %q, want %q (%s)", test.dir, test.status, got, test.want, why)
		}
	}
}

func TestTray(t *testing.T) {
	c := read(t, "[notify]\nguesses = 'always'")
	m := Tray(config.State{Config: c, Problems: []config.Problem{{File: "/x/config.toml", Line: 2, Key: "a.b", Text: "no"}}})
	if !m.LoudGuesses || !slices.Equal(m.Notes, []string{"config.toml line 2: a.b: no"}) {
		t.Errorf("got %+v", m)
	}
}
