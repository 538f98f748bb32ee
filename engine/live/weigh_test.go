package live

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"deskbell/engine"
)

// TestWeigh checks that who wants to see sessions waits until they have been measured,
// but no more than a moment.
func TestWeigh(t *testing.T) {
	for name, takes := range map[string]time.Duration{"at once": 0, "soon": 50 * time.Millisecond, "late": time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			e := engine.New(engine.DefaultLimits())
			l := NewLoop(e)
			ctx, cancel := context.WithCancel(context.Background())
			var wg sync.WaitGroup
			wg.Go(func() { l.Run(ctx) })
			defer wg.Wait()
			defer cancel()
			who := engine.Who{Tool: "x", ID: "a", PID: 41, Ticks: 7}
			l.Emit(engine.Event{By: engine.Listing, Who: who, Fact: engine.Listed{Level: engine.ListedIdle}},
				engine.Event{By: engine.Process, Who: who, Fact: engine.Alive{Yes: true}})
			s := &Scales{Loop: l, Engine: e, Measure: func(all []engine.Who) <-chan struct{} {
				if len(all) != 1 || all[0].PID != 41 || all[0].Ticks != 7 {
					t.Errorf("%s: asked to measure %+v", name, all)
				}
				told := make(chan struct{})
				wg.Go(func() {
					defer close(told)
					select {
					case <-time.After(takes):
						l.Emit(engine.Event{By: engine.Process, Who: all[0], Fact: engine.Measured{Bytes: 5e8}})
					case <-ctx.Done():
					}
				})
				return told
			}}
			server := &Server{Loop: l, Weigh: s.Weigh}
			began := time.Now()
			server.weigh(ctx)
			if took := time.Since(began); took != min(takes, moment) {
				t.Errorf("%s: waited %v", name, took)
			}
			snap, err := l.Look(ctx)
			if err != nil || len(snap.Sessions) != 1 {
				t.Fatalf("%s: got %+v, %v", name, snap.Sessions, err)
			}
			if got, known := snap.Sessions[0].Memory, takes < moment; known != (got == 5e8) {
				t.Errorf("%s: it takes %d", name, got)
			}
		})
	}
}
