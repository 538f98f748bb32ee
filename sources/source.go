// Package sources is the outside world: each source watches one part of it and
// reports what it sees in the engine's vocabulary.
package sources

import (
	"context"

	"deskbell/engine"
)

// A Source watches until ctx is done. An error ends its run; whoever supervises
// it logs that once and starts it again, slower each time.
type Source interface {
	String() string
	Run(ctx context.Context, emit func(...engine.Event)) error
}
