package sources

import (
	"context"
	"fmt"
	"time"

	"deskbell/engine"
)

// Between two runs of a source that failed: the first pause, the longest, and how
// long it must have run well for the first to be in order again.
const (
	pause    = time.Second
	longest  = 5 * time.Minute
	recovery = 10 * time.Minute
)

// Supervise runs s until ctx is done, and starts it again, slower each time, when it
// ends with an error. say is told each error once.
func Supervise(ctx context.Context, s Source, emit func(...engine.Event), say func(string)) {
	said := map[string]bool{}
	wait := pause
	for ctx.Err() == nil {
		began := time.Now()
		err := s.Run(ctx, emit)
		if ctx.Err() != nil {
			return
		}
		if text := fmt.Sprint(err); err != nil && !said[text] {
			said[text] = true
			say(fmt.Sprintf("%s stopped, and is started again: %v", s, err))
		}
		if time.Since(began) > recovery {
			wait = pause
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
		wait = min(2*wait, longest)
	}
}
