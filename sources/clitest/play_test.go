package clitest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources/raw"
)

var began = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)

// sample is a recording of the sound CLI: a start, a prompt, kill -9.
func sample() *Recording {
	at := func(d time.Duration) time.Time { return began.Add(d) }
	text := func(s string) *string { return &s }
	ms := time.Millisecond
	live := []raw.Proc{{PID: 7, Ticks: 99, TTY: "/dev/pts/1", Dir: "/home/dev/proj", Args: []string{"sound"}}}
	return &Recording{Scenario: "sample", Home: "/home/dev/.sound", entries: []raw.Line{
		{At: at(0), Note: "start"},
		{At: at(10 * ms), Raw: "procs", List: live},
		{At: at(100 * ms), Raw: "file", Path: "live/7.json", Text: text(`{"id":"a1","status":"idle"}`), Mod: at(95 * ms)},
		{At: at(1000 * ms), Raw: "line", Path: "logs/a1.log", Line: "prompt"},
		{At: at(1100 * ms), Raw: "line", Path: "logs/a1.log", Line: "bookkeeping"},
		{At: at(2000 * ms), Raw: "file", Path: "live/7.json", Text: text(`{"id":"a1","status":"busy"}`), Mod: at(2000 * ms)},
		{At: at(3000 * ms), Raw: "procs"},
	}}
}

func TestPlay(t *testing.T) {
	played := Play(sound(), sample(), time.Second)
	var got []string
	for _, c := range played.Changes {
		if c.From != c.Session.Status {
			got = append(got, fmt.Sprint(c.At, " ", c.Session.ID, " ", c.Session.Status))
		}
	}
	// The process is looked up after 2 ms, the log is read 150 ms after its first line,
	// a busy listing is believed after a blink, and the end of the process is seen at once.
	want := []string{"102ms s1 idle", "2.05s s1 working", "3s s1 ended"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(played.Bad) > 0 {
		t.Errorf("bad: %v", played.Bad)
	}
	if n := len(played.Last.Sessions); n != 1 || played.Last.Sessions[0].Status != engine.Ended {
		t.Errorf("at the end there are %d sessions: %+v", n, played.Last.Sessions)
	}
	prompts := 0
	for _, ev := range played.Events {
		if _, is := ev.Fact.(engine.Prompted); is {
			prompts++
			if ev.Who.Home != "/home/dev/.sound" {
				t.Errorf("an event has the home %q", ev.Who.Home)
			}
		}
	}
	if prompts != 1 {
		t.Errorf("%d prompts were told, want 1: the log was asked for before it had a line", prompts)
	}
}

func TestPlaySpokenPrompt(t *testing.T) {
	rec := sample()
	rec.entries = rec.entries[:5] // the listing never says busy
	played := Play(sound(), rec, time.Second)
	for _, c := range played.Changes {
		if !c.Session.Spoke.IsZero() {
			if c.At != 1150*time.Millisecond {
				t.Errorf("the prompt was read at %v, want 1.15s", c.At)
			}
			return
		}
	}
	t.Error("the prompt was never read")
}

func TestLoad(t *testing.T) {
	write := func(text string) string {
		file := filepath.Join(t.TempDir(), "r.jsonl")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	head := `{"cli":"Sound","version":"1.0","date":"2026-01-01","scenario":"x","home":"/h"}` + "\n"
	r, err := Load(write(head + `{"at":"2026-01-01T09:00:00Z","note":"start"}` + "\n" + `{"at":"2026-01-01T09:00:01Z","raw":"line","path":"l","line":"x"}` + "\n"))
	if err != nil || r.Version != "1.0" || !r.Began().Equal(began) || !slices.Equal(r.Lines(), []string{"x"}) {
		t.Errorf("got %+v, %v", r, err)
	}
	for name, text := range map[string]string{
		"empty": "", "only a header": head, "no header": "x\n", "a torn line": head + `{"at":"2026-`,
		"disorder": head + `{"at":"2026-01-01T09:00:01Z"}` + "\n" + `{"at":"2026-01-01T09:00:00Z"}` + "\n",
	} {
		if _, err := Load(write(text)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
