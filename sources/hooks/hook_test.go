package hooks

import (
	"maps"
	"testing"
	"time"

	"deskbell/sources/hooks/client"
)

// TestSent checks when an event is taken to have happened.
func TestSent(t *testing.T) {
	now := moment{time.Unix(1_000_000, 0), int64(500 * time.Second), "this boot"}
	second := int64(time.Second)
	for _, c := range []struct {
		name       string
		wall, boot int64
		id         string
		want       time.Duration
	}{
		{"just now", 999_999 * second, 499 * second, "this boot", -time.Second},
		{"the wall clock was set back meanwhile", 1_003_600 * second, 499 * second, "this boot", -time.Second},
		{"it was set forward", 990_000 * second, 499 * second, "this boot", -time.Second},
		{"the receiver was stopped for a day", 0, 400 * second, "this boot", -100 * time.Second},
		{"of another boot", 999_990 * second, 499 * second, "that boot", -10 * time.Second},
		{"no clock since boot", 999_990 * second, 0, "", -10 * time.Second},
		{"later than now", 999_990 * second, 501 * second, "this boot", -10 * time.Second},
		{"in the future", 2_000_000 * second, 0, "", 0},
		{"long ago", 5 * second, 0, "", 0},
		{"never", 0, 0, "", 0},
		{"negative", -5, -5, "this boot", 0},
	} {
		f := client.Frame{Wall: c.wall, Boot: c.boot, BootID: c.id}
		if got := sent(&f, now).Sub(now.wall); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	unknown := now
	unknown.boot = 0
	if got := sent(&client.Frame{Wall: 999_999 * second, Boot: 1}, unknown).Sub(now.wall); got != -time.Second {
		t.Errorf("without a clock since boot: %v", got)
	}
}

// TestHookOf checks what of a frame is believed.
func TestHookOf(t *testing.T) {
	f := client.Frame{
		Event: "Stop", Self: 50, PID: 40, Ticks: 9, TTY: "/dev/pts/1", Payload: []byte("{}"),
		Env: []string{"TMUX=a=b", "ANTHROPIC_API_KEY=hush", "TERM", "=x", "TERM_PROGRAM="},
	}
	for _, c := range []struct {
		name      string
		peer, pid int
	}{
		{"ours", 50, 40}, {"not told", 0, 40}, {"counted elsewhere", 7000, 0},
	} {
		h := hookOf(&f, c.peer, moment{wall: time.Unix(1, 0)})
		if h.PID != c.pid || (h.Ticks != 0) != (c.pid != 0) || (h.TTY != "") != (c.pid != 0) {
			t.Errorf("%s: got %d %d %q, want %d", c.name, h.PID, h.Ticks, h.TTY, c.pid)
		}
		if want := map[string]string{"TMUX": "a=b", "TERM_PROGRAM": ""}; !maps.Equal(h.Env, want) || h.Event != "Stop" {
			t.Errorf("%s: got %v %q, want %v", c.name, h.Env, h.Event, want)
		}
	}
}
