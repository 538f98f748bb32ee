package engine

import (
	"testing"
	"time"
)

func TestGauge(t *testing.T) {
	var g Gauge
	now := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	for i, c := range []struct {
		after        time.Duration // the step before
		amount, want int64
	}{
		{0, 0, 0},
		{time.Second, 1000, 1000}, // known at once
		{time.Hour, 1099, 1000},
		{0, 901, 1000},
		{0, 1100, 1100},
		{time.Second, 2000, 1100},
		{58 * time.Second, 3000, 1100},
		{time.Second, 3000, 3000},
		{time.Second, 2000, 3000},
		{time.Second, 2900, 3000}, // back again
		{time.Hour, 2700, 2700},
		{time.Second, 0, 0}, // known no longer
		{time.Second, 5000, 5000},
	} {
		now = now.Add(c.after)
		if got := g.Apply(now, c.amount, time.Minute); got != c.want {
			t.Errorf("step %d, %d: got %d, want %d", i, c.amount, got, c.want)
		}
	}
}
