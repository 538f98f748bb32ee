package live

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"deskbell/engine"
)

// Wishes carries out what you ask for about sessions: label, room, mute and the like. An
// answer that it is done is given when it is on disk.
type Wishes struct {
	Loop   *Loop
	Engine *engine.Engine // which the loop owns
	Disk   *Disk
	Real   func(dir string) string // where a folder really is
	Now    func() time.Time
}

// Act is [Server.Act] for the acts that are wishes.
func (w *Wishes) Act(id, act string, body json.RawMessage) (any, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	a, err := w.ask(ctx, act, body)
	if err != nil {
		return nil, err
	}
	if id == "" {
		return w.hush(ctx, a)
	}
	f, err := a.wished()
	if err != nil {
		return nil, err
	}
	who := engine.Who{Card: engine.ID(id)}
	var card *engine.Card
	err = w.do(ctx, engine.Event{By: engine.User, Who: who, Fact: f}, func(m *engine.Memory) {
		if i := slices.IndexFunc(m.Cards, func(c engine.Card) bool { return c.ID == who.Card }); i >= 0 {
			card = &m.Cards[i]
		}
	})
	switch {
	case err != nil:
		return nil, err
	case card == nil:
		return nil, unknown(who.Card)
	}
	return card.Prefs, nil
}

func (w *Wishes) hush(ctx context.Context, a ask) (any, error) {
	if a.act != "mute" && a.act != "unmute" {
		return nil, ErrUnknownAct
	}
	f, err := a.hush(w.Real)
	if err != nil {
		return nil, err
	}
	var now []engine.Hush
	err = w.do(ctx, engine.Event{By: engine.User, Fact: f}, func(m *engine.Memory) { now = m.Hushed })
	return map[string]any{"muted": append([]engine.Hush{}, now...)}, err
}

// ask is an act with what it is to be judged by.
func (w *Wishes) ask(ctx context.Context, act string, body json.RawMessage) (a ask, err error) {
	a = ask{act: act, body: body, now: w.Now()}
	err = w.Loop.Do(ctx, func() { a.labels = w.Engine.Labels() })
	return a, err
}

// do has the engine told of ev, shows what it remembers then to see, and returns when
// that is on disk.
func (w *Wishes) do(ctx context.Context, ev engine.Event, see func(*engine.Memory)) error {
	w.Loop.Emit(ev)
	var wait func(context.Context) error
	err := w.Loop.Do(ctx, func() {
		m := w.Engine.Memory()
		see(&m)
		wait = w.Disk.Commit(m)
	})
	if err != nil {
		return err
	}
	if err := wait(ctx); err != nil {
		return &Refusal{Status: http.StatusInternalServerError, Says: fmt.Sprintf("it is so until deskbell ends, and cannot be kept: %v: see to that and ask again", err)}
	}
	return nil
}

// Routes are the answers that have to do with labels, and what undoes a mute of all.
func (w *Wishes) Routes() map[string]Answer {
	return map[string]Answer{
		"GET /labels":         w.labels,
		"POST /labels":        func(r *http.Request) (any, error) { return w.colour(r, false) },
		"POST /labels/remove": func(r *http.Request) (any, error) { return w.colour(r, true) },
		"POST /unmute": func(r *http.Request) (any, error) {
			body, err := object(r)
			if err != nil {
				return nil, err
			}
			v, err := w.Act("", "unmute", body)
			if err != nil {
				return nil, err
			}
			return done(v)
		},
	}
}

// labelled is a label as it is listed.
type labelled struct {
	engine.Label
	BuiltIn  bool `json:"built_in"`
	Sessions int  `json:"sessions"` // that have it
}

func (w *Wishes) labels(r *http.Request) (any, error) {
	out := struct {
		Labels []labelled `json:"labels"`
	}{}
	err := w.Loop.Do(r.Context(), func() {
		cards := w.Engine.Memory().Cards
		for _, l := range w.Engine.Labels() {
			_, built := engine.FindLabel(engine.BuiltIn(), l.Name)
			out.Labels = append(out.Labels, labelled{l, built, wearers(cards, l.Name)})
		}
	})
	return out, err
}

// wearers counts the cards that have a label.
func wearers(cards []engine.Card, name string) (n int) {
	for _, c := range cards {
		if c.Label != nil && strings.EqualFold(c.Label.Name, name) {
			n++
		}
	}
	return n
}

func (w *Wishes) colour(r *http.Request, gone bool) (any, error) {
	body, err := object(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	a, err := w.ask(ctx, "labels", body)
	if err != nil {
		return nil, err
	}
	f, err := a.coloured(gone)
	if err != nil {
		return nil, err
	}
	sessions := 0
	if err := w.Loop.Do(ctx, func() { sessions = wearers(w.Engine.Memory().Cards, f.Name) }); err != nil {
		return nil, err
	}
	if err := w.do(ctx, engine.Event{By: engine.User, Fact: f}, func(*engine.Memory) {}); err != nil {
		return nil, err
	}
	return done(map[string]any{"name": f.Name, "sessions": sessions})
}
