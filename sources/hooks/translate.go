package hooks

import (
	"encoding/json"
	"errors"
	"fmt"

	"deskbell/engine"
	"deskbell/sources"
)

// any other event of a CLI, in [sources.CLI.Hooks]
const other = "*"

// Errors of [Translate] that say whose fault it is.
var (
	errBroken  = errors.New("a hook's payload is no JSON object")
	errUnknown = errors.New("hook event is not known")
)

func isBroken(err error) bool  { return errors.Is(err, errBroken) }
func isUnknown(err error) bool { return errors.Is(err, errUnknown) }

// Translate turns one call of a CLI's hook into events. What the payload says of its
// event counts more than h.Event. Events are those of the CLI, seen by a hook when
// that was called, where its adapter says nothing else. Whether the payload is valid
// JSON its adapter finds out: nobody else reads all of it.
func Translate(c sources.CLI, h sources.Hook) (events []engine.Event, err error) {
	name, ok := eventIn(h.Payload)
	if !ok {
		return nil, fmt.Errorf("%w (%d bytes)", errBroken, len(h.Payload))
	}
	if name != "" {
		h.Event = name
	}
	f := c.Hooks[h.Event]
	if f == nil || h.Event == other {
		f = c.Hooks[other]
	}
	if f == nil {
		return nil, fmt.Errorf("%.60q: %w", h.Event, errUnknown)
	}
	defer func() {
		if p := recover(); p != nil {
			events, err = nil, fmt.Errorf("hook %.60q: %v", h.Event, p)
		}
	}()
	events, err = f(h)
	if err != nil && !json.Valid(h.Payload) {
		return nil, fmt.Errorf("%w (%d bytes)", errBroken, len(h.Payload))
	}
	if err != nil {
		return nil, fmt.Errorf("hook %.60q: %w", h.Event, err)
	}
	for i := range events {
		e := &events[i]
		if e.At.IsZero() {
			e.At = h.At
		}
		if e.By == engine.Clock {
			e.By = engine.Hook
		}
		if e.Who.Tool == "" {
			e.Who.Tool = c.Name
		}
		if e.Who.TTY != "" { // what has none is in no terminal, whatever it names
			e.Who.Term = h.Env[sources.TermEnv]
		}
	}
	return events, nil
}
