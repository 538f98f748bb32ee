// Package hooks takes in what agent CLIs report through their hooks: package client
// is the program they call, [Source] receives what that sends. It also puts our hooks
// into the settings of the CLIs, and takes them out again.
package hooks

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/hooks/client"
)

// SocketPath returns where hooks are received in a runtime folder.
func SocketPath(dir string) string { return filepath.Join(dir, client.SocketName) }

// Options are what a [Source] is made of. All but Say are needed.
type Options struct {
	CLIs   []sources.CLI
	Socket string       // see [SocketPath]; whoever runs the Source holds the lock of that folder
	Say    func(string) // tells the user, once, what cannot be done
	// Look looks up the process that called a hook; nil: nobody can.
	Look func(pid int) (sources.Proc, bool)
}

// Source receives what the hook clients send. Its counts are kept when Run is
// started again.
type Source struct {
	opt  Options
	emit func(...engine.Event)
	boot string // which start of the machine this is
	said map[string]bool

	received, translated, foreign, broken, unknown, failed, shortened atomic.Uint64
}

// Counts is how many hooks were received since the start, and what became of them.
type Counts struct {
	Received   uint64 // from clients of our own user
	Translated uint64 // into events, or into none because they tell nothing
	Foreign    uint64 // from another user
	Broken     uint64 // no frame, half of one, or no JSON object
	Unknown    uint64 // of a tool or an event that nobody here knows
	Failed     uint64 // with a payload its CLI's adapter does not understand
	Shortened  uint64 // too long to be sent whole
}

// New returns a Source that receives nothing yet.
func New(o Options) *Source {
	if o.Say == nil {
		o.Say = func(string) {}
	}
	return &Source{opt: o, boot: client.BootID(), said: map[string]bool{}}
}

func (s *Source) String() string { return "hooks" }

// Counts may be called from any goroutine.
func (s *Source) Counts() Counts {
	return Counts{
		Received: s.received.Load(), Translated: s.translated.Load(), Foreign: s.foreign.Load(), Broken: s.broken.Load(),
		Unknown: s.unknown.Load(), Failed: s.failed.Load(), Shortened: s.shortened.Load(),
	}
}

// Run receives until ctx is done.
func (s *Source) Run(ctx context.Context, emit func(...engine.Event)) error {
	s.emit = emit
	return s.receive(ctx)
}

// arrived is a hook as it came in.
type arrived struct {
	tool  string
	began int64 // when its client was started, in ns since some moment
	hook  sources.Hook
}

// open reads a frame. peer is the pid of its sender as we count; 0: not known.
func (s *Source) open(text []byte, peer int) (arrived, error) {
	f, err := client.Parse(text)
	if err != nil {
		return arrived{}, err
	}
	if f.Cut {
		s.shortened.Add(1)
	}
	now := s.now()
	a := arrived{tool: f.Tool, hook: hookOf(&f, peer, now)}
	if pid := a.hook.PID; pid != 0 && s.opt.Look != nil {
		a.hook.Caller = func() (sources.Proc, bool) { return s.opt.Look(pid) }
	}
	if a.began = f.Boot; !now.tells(&f) {
		a.began = now.boot - int64(now.wall.Sub(a.hook.At))
	}
	return a, nil
}

// now reads both clocks, as nearly at once as can be had.
func (s *Source) now() (m moment) {
	m.id = s.boot
	for range 3 {
		before := client.Boot()
		m.wall = time.Now().Round(0)
		m.boot = client.Boot()
		if m.boot-before < int64(20*time.Microsecond) {
			break
		}
	}
	return m
}

// tell translates what arrived.
func (s *Source) tell(a arrived) {
	s.received.Add(1)
	for i := range s.opt.CLIs {
		if c := &s.opt.CLIs[i]; c.Name == a.tool {
			s.translate(c, a.hook)
			return
		}
	}
	s.unknown.Add(1)
	s.say("tool", fmt.Sprintf("hooks: a hook was called for %.40q, a tool that is not known: its events are left out", a.tool))
}

func (s *Source) translate(c *sources.CLI, h sources.Hook) {
	events, err := Translate(*c, h)
	switch {
	case err == nil:
		s.translated.Add(1)
		real(events)
		if len(events) > 0 {
			s.emit(events...)
		}
	case isUnknown(err):
		s.unknown.Add(1)
		s.say("event "+c.Name, fmt.Sprintf("hooks: %s: %v: left out", c.Title, err))
	case isBroken(err):
		s.bad(err)
	default:
		s.failed.Add(1)
		s.say("failed "+c.Name, fmt.Sprintf("hooks: %s: %v: left out, further ones are counted", c.Title, err))
	}
}

// real gives events the real paths of their folders: files and processes are told by
// those. Mostly all events of one hook name the same.
func real(events []engine.Event) {
	var was, is engine.Who
	for i := range events {
		w := &events[i].Who
		if w.Dir != was.Dir || w.Home != was.Home {
			was, is = *w, engine.Who{Dir: sources.RealPath(w.Dir), Home: sources.RealPath(w.Home)}
		}
		w.Dir, w.Home = is.Dir, is.Home
	}
}

// bad counts what is no hook at all.
func (s *Source) bad(err error) {
	s.broken.Add(1)
	s.say("broken", fmt.Sprintf("hooks: %v: left out, further ones are counted", err))
}

func (s *Source) strange(uid int) {
	s.foreign.Add(1)
	s.say("foreign", fmt.Sprintf("hooks: user %d sent something: left out, further ones are counted", uid))
}

// say tells something at most once.
func (s *Source) say(key, text string) {
	if !s.said[key] {
		s.said[key] = true
		s.opt.Say(text)
	}
}
