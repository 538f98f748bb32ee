package clitest

import (
	"fmt"
	"time"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/raw"
)

// Played is what came of a recording.
type Played struct {
	Changes []Change
	Last    engine.Snapshot // of all sessions, at the end
	Events  []engine.Event  // all that the adapter told
	Bad     []error         // what it could not read
}

// Change is one change of one session, or its disappearance: then all of Session
// but the ID is empty.
type Change struct {
	At      time.Duration // since the recording began
	From    engine.Status
	Session engine.Session
	Gone    bool
}

// player is one engine in the world of a recording.
type player struct {
	*engine.Playback
	world *raw.World
	rec   *Recording
	out   *Played
}

// Play plays a recording through the adapter, and lets the clock run on for after.
func Play(cli sources.CLI, rec *Recording, after time.Duration) *Played {
	p := newPlayer(cli, rec)
	for i := range rec.entries {
		p.take(&rec.entries[i])
	}
	return p.end(p.Now().Add(after))
}

// Retold is Play, where everything that is known at a time is told once more.
func Retold(cli sources.CLI, rec *Recording, at, after time.Duration) *Played {
	p := newPlayer(cli, rec)
	told := false
	for i := range rec.entries {
		if l := &rec.entries[i]; !told && l.At.Sub(rec.Began()) > at {
			told = true
			p.Run(rec.Began().Add(at))
			p.Tell(p.heard(p.world.Survey(p.Now()))...)
			for _, s := range p.Engine.Snapshot(true).Sessions {
				p.world.Ask(p.Now(), engine.Question{Ask: engine.AskRecord, Who: engine.Who{Tool: s.Tool, ID: s.SessionID}})
			}
		}
		p.take(&rec.entries[i])
	}
	return p.end(p.Now().Add(after))
}

// Join plays a part of a recording to an engine that is started in the middle of it:
// it finds files and processes as they are by then.
func Join(cli sources.CLI, rec *Recording, from, to time.Duration) *Played {
	p := newPlayer(cli, rec)
	i := 0
	for ; i < len(rec.entries) && rec.entries[i].At.Sub(rec.Began()) <= from; i++ {
		p.bad(p.world.Find(&rec.entries[i]))
	}
	p.Skip(rec.Began().Add(from))
	p.Tell(p.heard(p.world.Survey(p.Now()))...)
	for ; i < len(rec.entries) && rec.entries[i].At.Sub(rec.Began()) <= to; i++ {
		p.take(&rec.entries[i])
	}
	return p.end(rec.Began().Add(to))
}

func newPlayer(cli sources.CLI, rec *Recording) *player {
	p := &player{
		Playback: engine.NewPlayback(engine.DefaultLimits()), world: raw.New(raw.Options{CLIs: []sources.CLI{cli}, Translate: translate}), rec: rec, out: &Played{},
	}
	p.world.Recorded(rec.Home)
	p.World, p.Tick, p.Clash = heard{p}, p.tick, func(now, next time.Time) {
		p.bad(fmt.Errorf("at %v the engine's next deadline is %v ago", now.Sub(rec.Began()), now.Sub(next)))
	}
	p.Skip(rec.Began())
	return p
}

// translate has the CLI translate a hook, as whoever receives it does.
func translate(cli sources.CLI, h sources.Hook) ([]engine.Event, error) {
	f := cli.Hooks[h.Event]
	if f == nil {
		f = cli.Hooks["*"]
	}
	if f == nil {
		return nil, nil
	}
	return f(h)
}

// heard is the world of a player, which keeps what is told.
type heard struct{ *player }

func (h heard) Ask(now time.Time, q engine.Question) { h.world.Ask(now, q) }
func (h heard) Looks() bool                          { return h.world.Looks() }
func (h heard) Next() time.Time                      { return h.world.Next() }
func (h heard) Due(now time.Time) []engine.Event     { return h.heard(h.world.Due(now)) }

// heard keeps what the adapter told.
func (p *player) heard(events []engine.Event) []engine.Event {
	for _, ev := range events {
		if ev.By != engine.Process {
			p.out.Events = append(p.out.Events, ev)
		}
	}
	return events
}

// take lets the clock go to an observation and acts on it.
func (p *player) take(l *raw.Line) {
	p.Run(l.At)
	events, err := p.world.Observe(p.Now(), l)
	p.bad(err)
	if len(events) > 0 {
		p.Tell(p.heard(events)...)
	}
}

func (p *player) end(at time.Time) *Played {
	p.Run(at)
	p.out.Last = p.Engine.Snapshot(true)
	return p.out
}

// tick notes what a pass brought about.
func (p *player) tick(now time.Time, step engine.Step) time.Time {
	at := now.Sub(p.rec.Began())
	for _, c := range step.Changes {
		p.out.Changes = append(p.out.Changes, Change{At: at, From: c.From, Session: c.Session})
	}
	for _, id := range step.Gone {
		p.out.Changes = append(p.out.Changes, Change{At: at, Session: engine.Session{ID: id}, Gone: true})
	}
	return time.Time{}
}

func (p *player) bad(err error) {
	if err != nil {
		p.out.Bad = append(p.out.Bad, err)
	}
}
