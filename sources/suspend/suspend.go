// Package suspend notices that the machine goes to sleep and wakes, where the system tells
// it. The night itself is told by the clocks; this is so that they are looked at when it
// begins and ends, and not only at whatever happens next.
package suspend

import (
	"context"

	"deskbell/engine"
)

// Source watches for suspends. It reports nothing: it has the clocks looked at.
type Source struct{}

func (Source) String() string { return "suspend" }

// Run watches until ctx is done. Where nobody tells of suspends it only waits.
func (Source) Run(ctx context.Context, emit func(...engine.Event)) error {
	return follow(ctx, func() { emit() })
}
