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
		next         time.Duration // from now; 0: none
	}{
		{0, 0, 0, 0},
		{time.Second, 1000, 1000, 0}, // known at once
		{time.Hour, 1099, 1000, 0},
		{0, 901, 1000, 0},
		{0, 1100, 1100, 0},
		{time.Second, 2000, 1100, 59 * time.Second},
		{58 * time.Second, 3000, 1100, time.Second},
		{time.Second, 3000, 3000, 0},
		{time.Second, 2000, 3000, 59 * time.Second},
		{time.Second, 2900, 3000, 0}, // back again
		{time.Hour, 2700, 2700, 0},
		{time.Second, 0, 0, 0}, // known no longer
		{time.Second, 5000, 5000, 0},
	} {
		now = now.Add(c.after)
		got, next := g.Apply(now, c.amount, time.Minute)
		want := time.Time{}
		if c.next > 0 {
			want = now.Add(c.next)
		}
		if got != c.want || !next.Equal(want) {
			t.Errorf("step %d, %d: got %d and %v, want %d and %v", i, c.amount, got, next, c.want, want)
		}
	}
}
