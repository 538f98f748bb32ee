package live

import (
	"context"
	"time"

	"deskbell/engine"
)

// Scales have it measured what sessions take, when that is about to be shown.
type Scales struct {
	Loop   *Loop
	Engine interface{ Residents() []engine.Who }
	// Measure has it told what these processes take, and never blocks. The channel is
	// closed when it has been.
	Measure func([]engine.Who) <-chan struct{}
}

// moment is how long those who want to see something wait for what it takes. What is
// measured later is told as a change.
const moment = 300 * time.Millisecond

// Weigh has it measured, and waits a moment for that.
func (s *Scales) Weigh(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, moment)
	defer cancel()
	told := s.begin(ctx)
	select {
	case <-told:
	case <-ctx.Done():
	}
}

func (s *Scales) begin(ctx context.Context) (told <-chan struct{}) {
	_ = s.Loop.Do(ctx, func() { told = s.Begin() })
	return told
}

// Begin has it measured. It runs on the goroutine that owns the engine.
func (s *Scales) Begin() (told <-chan struct{}) { return s.Measure(s.Engine.Residents()) }
