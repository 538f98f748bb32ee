package live

import (
	"testing"
	"time"
)

func TestClockNeverGoesBack(t *testing.T) {
	start := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	c := clock{start: start}
	steps := []struct {
		name  string
		wall  time.Duration // since start, by the wall clock
		ran   time.Duration // ... by the monotonic clock
		now   time.Duration
		ahead time.Duration
	}{
		{"begins", 0, 0, 0, 0},
		{"runs", 10 * time.Second, 10 * time.Second, 10 * time.Second, 0},
		{"is read unevenly", 20*time.Second - time.Millisecond, 20 * time.Second, 20*time.Second - time.Millisecond, 0},
		{"sleeps for an hour", time.Hour + 21*time.Second, 21 * time.Second, time.Hour + 21*time.Second, 0},
		{"is set back by half an hour", 30*time.Minute + 22*time.Second, 22 * time.Second, time.Hour + 22*time.Second, 30 * time.Minute},
		{"runs on ahead", 30*time.Minute + 32*time.Second, 32 * time.Second, time.Hour + 32*time.Second, 30 * time.Minute},
		{"is set right again", time.Hour + 33*time.Second, 33 * time.Second, time.Hour + 33*time.Second, 0},
	}
	for _, s := range steps {
		now, ahead := c.at(start.Add(s.wall), s.ran)
		if now.Sub(start) != s.now || ahead != s.ahead {
			t.Errorf("the clock %s: got %v, ahead by %v, want %v, ahead by %v", s.name, now.Sub(start), ahead, s.now, s.ahead)
		}
	}
}
