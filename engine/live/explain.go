package live

import (
	"context"
	"time"

	"deskbell/engine"
)

// Explainer answers "why" by what the engine, the planner of notices and the journal know.
type Explainer struct {
	Engine *engine.Engine
	Disk   *Disk
	// Notice says what became of the notice of a session; "": there was nothing to tell.
	// It runs on the goroutine that owns the engine.
	Notice func(id engine.ID) (state, why string, at time.Time)
	// Cure says how to have a witness tell something of the sessions of a tool.
	Cure func(tool string, w engine.Witness) string
}

// explained is the answer to "why", API.md.
type explained struct {
	engine.Why
	For    []engine.Signal `json:"for"`
	Notice *notice         `json:"notice,omitempty"`
	// History is what the journal has of it, the newest last.
	History []engine.Moment `json:"history,omitempty"`
}

type notice struct {
	State string    `json:"state"`
	Why   string    `json:"why,omitempty"`
	At    time.Time `json:"at"`
}

// Why is [Server.Why].
func (e *Explainer) Why(id engine.ID) (any, bool) {
	w, ok := e.Engine.Why(id)
	if !ok {
		return nil, false
	}
	out := explained{Why: w, For: w.For}
	for m := range w.Missing {
		w.Missing[m].How = e.Cure(w.Session.Tool, w.Missing[m].Witness)
	}
	if state, why, at := e.Notice(id); state != "" {
		out.Notice = &notice{state, why, at.UTC()}
	}
	return out, true
}

// Past is [Server.Past]. Of a session that is known no longer what the journal has is all
// there is.
func (e *Explainer) Past(ctx context.Context, id string, said any) (any, bool) {
	p, ok := e.Disk.Past(ctx, id)
	out, known := said.(explained)
	if !known {
		out.Why = engine.Why{Session: p.Session(), Matched: "nothing any more: this is from the journal", Silent: []engine.Unheard{}, Missing: []engine.Missing{}}
		out.For = []engine.Signal{out.Session.Reason}
		for _, m := range p.History {
			if m.Event == engine.Notice {
				out.Notice = &notice{m.State, m.Why, m.At}
			}
		}
	}
	out.History = p.History
	return out, known || ok
}
