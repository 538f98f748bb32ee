package engine_test

import (
	"testing"
	"time"

	"deskbell/engine"
)

// TestSetLimits checks that other limits hold at once, and for what was seen before.
func TestSetLimits(t *testing.T) {
	who := engine.Who{Tool: "x", ID: "one", PID: 41, Ticks: 7}
	step := func(e *engine.Engine, at time.Duration, set func(*engine.Limits), evs ...engine.Event) engine.Step {
		if set != nil {
			l := engine.DefaultLimits()
			set(&l)
			e.SetLimits(l)
		}
		return e.Apply(t0.Add(at), evs...)
	}
	status := func(e *engine.Engine) engine.Status { return e.Snapshot(true).Sessions[0].Status }
	finished := func() *engine.Engine {
		e := engine.New(engine.DefaultLimits())
		step(e, 0, nil, engine.Event{By: engine.Hook, Who: who, Fact: engine.Prompted{Human: true}}, engine.Event{By: engine.Process, Who: who, Fact: engine.Alive{Yes: true}})
		step(e, time.Second, nil, engine.Event{By: engine.Hook, Who: who, Fact: engine.Finished{}})
		if got := status(e); got != engine.Waiting {
			t.Fatalf("got %v after the end of a turn", got)
		}
		return e
	}

	t.Run("shorter", func(t *testing.T) {
		e := finished()
		got := step(e, 2*time.Minute, func(l *engine.Limits) { l[engine.Rest] = time.Minute })
		if len(got.Changes) != 1 || got.Changes[0].From != engine.Waiting || status(e) != engine.Idle {
			t.Errorf("got %+v, %v; want idle", got.Changes, status(e))
		}
	})
	t.Run("longer", func(t *testing.T) {
		e := finished()
		got := step(e, time.Minute, func(l *engine.Limits) { l[engine.Rest] = time.Hour })
		if want := t0.Add(time.Second + time.Hour); !got.Next.Equal(want) {
			t.Errorf("next is %v, want %v", got.Next, want)
		}
		if step(e, 50*time.Minute, nil); status(e) != engine.Waiting {
			t.Errorf("got %v, want waiting", status(e))
		}
		if step(e, 2*time.Hour, nil); status(e) != engine.Idle {
			t.Errorf("got %v, want idle", status(e))
		}
	})
	t.Run("back from rest", func(t *testing.T) {
		e := finished()
		if step(e, 10*time.Minute, nil); status(e) != engine.Idle {
			t.Fatalf("got %v, want idle", status(e))
		}
		if step(e, 10*time.Minute, func(l *engine.Limits) { l[engine.Rest] = time.Hour }); status(e) != engine.Waiting {
			t.Errorf("got %v, want waiting", status(e))
		}
	})
	t.Run("until seen", func(t *testing.T) {
		e := finished()
		if got := step(e, time.Minute, func(l *engine.Limits) { l[engine.Rest] = 0 }); !got.Next.IsZero() {
			t.Errorf("next is %v, want never", got.Next)
		}
	})
	t.Run("the same", func(t *testing.T) {
		e := finished()
		if got := step(e, time.Minute, func(*engine.Limits) {}); len(got.Changes) > 0 {
			t.Errorf("got %+v", got.Changes)
		}
	})
}
