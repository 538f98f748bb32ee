package live

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"deskbell/engine"
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

// TestNights checks what is taken for time in which nobody could speak.
func TestNights(t *testing.T) {
	start := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	happened := func(at time.Duration) []engine.Event {
		return []engine.Event{{At: start.Add(at), By: engine.Hook, Fact: engine.Lived{}}}
	}
	const never = -1
	for _, c := range []struct {
		name      string
		wall, ran time.Duration // since the last pass
		due       time.Duration // when the next was due
		batch     []engine.Event
		want      time.Duration // when the night began
	}{
		{"on time", 10 * time.Second, 10 * time.Second, 10 * time.Second, nil, never},
		{"the lid was closed for eight hours", 8*time.Hour + time.Minute, time.Minute, 10 * time.Second, nil, time.Minute},
		{"... while nothing was due", 8*time.Hour + time.Minute, time.Minute, never, nil, time.Minute},
		{"the clock was set forward", 3*time.Hour + time.Second, time.Second, time.Minute, happened(3*time.Hour + time.Second), time.Second},
		{"the clock was set right by a little", 10*time.Second + 900*time.Millisecond, 10 * time.Second, 10 * time.Second, nil, never},
		{"the machine is loaded (C41)", 39 * time.Second, 39 * time.Second, 10 * time.Second, nil, never},
		{"deskbell was stopped, and nothing happened", time.Hour, time.Hour, 10 * time.Second, nil, 0},
		{"deskbell was stopped, the agents were not", time.Hour, time.Hour, 10 * time.Second, happened(30 * time.Minute), never},
		{"deskbell was stopped, and something happens now", time.Hour, time.Hour, 10 * time.Second, happened(time.Hour), 0},
		{"an hour with nothing due", time.Hour, time.Hour, never, nil, never},
		{"the clock was set back", -time.Hour, time.Minute, 30 * time.Second, nil, never},
	} {
		k := clock{start: start}
		k.at(start, 0)
		var due time.Time
		if c.due != never {
			due = start.Add(c.due)
		}
		now, _ := k.at(start.Add(c.wall), c.ran)
		got := time.Duration(never)
		if since := k.night(now, start, due, c.batch); !since.IsZero() {
			got = since.Sub(start)
		}
		if got != c.want {
			t.Errorf("%s: the night began at %v, want %v", c.name, got, c.want)
		}
		if since := k.night(now, now, time.Time{}, nil); !since.IsZero() {
			t.Errorf("%s: it counts twice", c.name)
		}
	}
}

// TestStall checks that after a stall silence is judged only once the sources have told
// what they saw meanwhile.
func TestStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var trace []string
		e := &script{apply: func(now time.Time, events []engine.Event) (step engine.Step) {
			trace = append(trace, fmt.Sprint(now.Sub(start), " ", len(events)))
			if len(trace) == 1 {
				step.Next = now.Add(3 * time.Second)
			}
			return step
		}}
		l := NewLoop(e)
		runs(t, l)
		synctest.Wait()
		var wg sync.WaitGroup
		wg.Go(func() { _ = l.Do(t.Context(), func() { time.Sleep(20 * time.Second) }) }) // as if stopped
		wg.Go(func() { time.Sleep(20*time.Second + 100*time.Millisecond); l.Emit(event("a")) })
		wg.Go(func() { time.Sleep(20*time.Second + 200*time.Millisecond); l.Emit(event("b"), event("c")) })
		wg.Wait()
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := []string{"0s 0", "20.3s 3"}; !slices.Equal(trace, want) {
			t.Errorf("got passes %q, want %q", trace, want)
		}
	})
}
