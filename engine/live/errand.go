package live

import (
	"context"
	"sync"
)

// errandsMost is how many errands may wait to be begun.
const errandsMost = 64

// Errands are what is done beside a loop, which never waits for them.
type Errands struct{ queue chan func(context.Context) }

// NewErrands returns those of a loop. They are begun by [Errands.Run].
func NewErrands() *Errands { return &Errands{make(chan func(context.Context), errandsMost)} }

// Do has something done, and never blocks. Where too much is to be done it is not.
func (e *Errands) Do(errand func(context.Context)) {
	select {
	case e.queue <- errand:
	default:
	}
}

// Run runs errands until ctx is done, each on its own: a terminal may take its time to
// answer. It returns when the last one has ended.
func (e *Errands) Run(ctx context.Context) {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case do := <-e.queue:
			wg.Go(func() { do(ctx) })
		}
	}
}
