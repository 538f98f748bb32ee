package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"deskbell/engine"
)

// replay feeds the lines of a record to an engine. Lines of one instant are one pass, as
// they were when they were recorded.
type replay struct {
	*engine.Playback
	world World
	plan  func(time.Time, engine.Step) ([]engine.Headline, time.Time)
	say   func(fmt.Stringer)
	batch []engine.Event
	at    time.Time // of the batch
	due   bool      // there is to be a pass, with or without events
}

const (
	mostAtATime = 1 << 16     // events of one pass
	afterwards  = time.Second // in which the world may say what it was about to at the end
)

func newReplay(with Replayed, say func(fmt.Stringer)) *replay {
	r := &replay{Playback: engine.NewPlayback(engine.DefaultLimits()), world: with.World, plan: with.Plan, say: say}
	r.World, r.Tick = with.World, r.tick
	return r
}

// take takes in one line.
func (r *replay) take(text []byte) error {
	var l engine.Line
	raw, err := r.read(text, &l)
	if err != nil || l.At.IsZero() {
		return err
	}
	told := l.At
	if !l.Told.IsZero() {
		told = l.Told
	}
	since, asleep := sleep(&l, told)
	if !told.Equal(r.at) || l.Fact == nil || len(r.batch) >= mostAtATime {
		r.settle()
		if asleep { // nobody was awake in between
			r.Run(since)
			r.Skip(told)
		} else {
			r.Run(told)
		}
		r.at = told
	}
	if raw {
		events, err := r.world.Take(r.Now(), text)
		if len(events) > 0 {
			r.Tell(events...)
		}
		return err
	}
	r.due = true
	switch {
	case l.Fact != nil:
		r.batch = append(r.batch, l.Event)
	case !asleep: // a pass of its own
		r.settle()
	}
	return nil
}

// sleep is since when nobody was awake until told, if l says so.
func sleep(l *engine.Line, told time.Time) (since time.Time, asleep bool) {
	if f, is := l.Fact.(engine.Slept); is {
		return f.Since, !f.Since.IsZero()
	}
	return l.At, l.Fact == nil && l.By == engine.Clock && told.After(l.At)
}

// read reads a line. That of a raw one only says when it was; one without a time is none.
func (r *replay) read(text []byte, l *engine.Line) (raw bool, err error) {
	if text[0] != '{' {
		return false, errors.New("no JSON object")
	}
	if bytes.Contains(text, []byte(`"raw"`)) || bytes.Contains(text, []byte(`"cli"`)) {
		var kind struct {
			At       time.Time
			Raw, CLI *string
		}
		if err := json.Unmarshal(text, &kind); err != nil {
			return false, err
		}
		switch {
		case kind.At.IsZero() && kind.CLI != nil: // the head of a recording
			_, err := r.world.Take(r.Now(), text)
			return true, err
		case kind.Raw != nil && kind.At.IsZero():
			return true, errors.New(`a line needs its time, "at": "2026-11-30T08:00:00Z"`)
		case kind.Raw != nil:
			l.At = kind.At
			return true, nil
		}
	}
	return false, json.Unmarshal(text, l)
}

// settle tells the engine what has been gathered.
func (r *replay) settle() {
	if r.due {
		r.Tell(r.batch...)
		clear(r.batch)
		r.batch, r.due = r.batch[:0], false
	}
}

// end tells what is left.
func (r *replay) end() {
	r.settle()
	for last := r.Now().Add(afterwards); ; {
		next := r.world.Next()
		if next.IsZero() || next.After(last) {
			break
		}
		r.Run(next.Add(1))
	}
}

// tick prints what a pass brought about.
func (r *replay) tick(now time.Time, step engine.Step) (next time.Time) {
	now = now.UTC()
	for i := range step.Changes {
		c := &step.Changes[i]
		if s := &c.Session; s.Status != c.From {
			r.say(transition{now, s.ID, s.SessionID, c.From, s.Status, s.Reason.Rule, s.Reason.Weight, s.Reason.By, s.Reason.Why})
		}
	}
	news, next := r.plan(now, step)
	for _, n := range news {
		r.say(headline{n})
	}
	return next
}
