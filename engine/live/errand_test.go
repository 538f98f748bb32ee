package live

import (
	"context"
	"testing"
	"testing/synctest"
)

// TestErrands checks that errands keep nobody waiting, nor each other, and that their end
// is waited for.
func TestErrands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := NewErrands()
		done := 0
		for range errandsMost + 1 { // the last of them is one too many
			e.Do(func(context.Context) { done++ })
		}
		for range len(e.queue) {
			(<-e.queue)(t.Context())
		}
		if done != errandsMost {
			t.Errorf("%d were kept, want %d", done, errandsMost)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended, passed := false, make(chan struct{})
		over := make(chan struct{})
		go func() { e.Run(ctx); close(over) }()
		e.Do(func(ctx context.Context) { <-ctx.Done(); <-passed; ended = true })
		e.Do(func(context.Context) { close(passed) })
		synctest.Wait()
		select {
		case <-passed:
		default:
			t.Error("one errand waits for another")
		}
		cancel()
		<-over
		if !ended {
			t.Error("an errand has not ended yet")
		}
	})
}
