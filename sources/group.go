package sources

import (
	"context"
	"errors"
	"sync"

	"deskbell/engine"
)

// Group is sources that are asked as one. Each answers what it can.
type Group []Source

// Run supervises them until ctx is done.
func (g Group) Run(ctx context.Context, emit func(...engine.Event), say func(string)) {
	var wg sync.WaitGroup
	defer wg.Wait()
	for _, s := range g {
		wg.Go(func() { Supervise(ctx, s, emit, say) })
	}
}

// Answer takes a question to whoever can answer it. It does not wait for that.
func (g Group) Answer(q engine.Question) {
	for _, s := range g {
		if s, can := s.(Listener); can {
			s.Answer(q)
		}
	}
}

// Refresh has every source look. See [Group.Sync].
func (g Group) Refresh() {
	g.Answer(engine.Question{Ask: engine.AskFiles})
	g.Answer(engine.Question{Ask: engine.AskProcesses})
}

// Sync waits until what was asked for so far has been told.
func (g Group) Sync(ctx context.Context) error {
	var all []error
	for _, s := range g {
		if s, can := s.(interface{ Sync(context.Context) error }); can {
			all = append(all, s.Sync(ctx))
		}
	}
	return errors.Join(all...)
}

// Retell has every source tell again what it knows.
func (g Group) Retell() {
	for _, s := range g {
		if s, can := s.(interface{ Retell() }); can {
			s.Retell()
		}
	}
}
