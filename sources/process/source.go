package process

import (
	"context"
	"maps"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// settle is how long a wish for a scan waits for others, and for a new process to
// become what it is going to be.
const settle = 300 * time.Millisecond

// Options are what a [Source] is made of. Only CLIs is needed.
type Options struct {
	CLIs   []sources.CLI
	Say    func(string)           // tells the user, once, what cannot be done
	OnHome func(cli, home string) // a home found in the environment of a live CLI; called once for each
}

// id is what makes a process that and no other.
type id struct {
	pid   int
	ticks uint64
}

// watcher notices the end of processes.
type watcher interface {
	watch(p id) (alive bool, err error) // alive: it is not gone already
	close()
}

// Source tells which CLIs run, and when they end. Its state is kept when Run is
// started again. Answer may be called from any goroutine, and never blocks.
type Source struct {
	opt   Options
	inbox *sources.Inbox // run by the goroutine of Run
	weigh *sources.Inbox // run by a goroutine beside it
	emit  func(...engine.Event)
	scan  *Scan
	exits watcher // nil: the end of a process is not noticed by itself
	able  atomic.Bool
	blind map[id]bool // those whose end is not noticed: there was no room

	watched map[id][]engine.Who // who is told of the end of a process
	proven  map[string]bool     // domains that are ours although they name another machine
	homes   map[[2]string]bool  // cli and home, so that each is told once
	said    map[string]bool
	loads   map[id]load // what processes that start had done
	scales  scales      // belongs to the goroutine that runs weigh
	due     *time.Timer
	waiting bool  // a scan is due
	failed  error // why the last one failed
}

// New returns a Source that has not looked yet.
func New(o Options) *Source {
	if o.Say == nil {
		o.Say = func(string) {}
	}
	if o.OnHome == nil {
		o.OnHome = func(string, string) {}
	}
	s := &Source{
		opt: o, inbox: sources.NewInbox(), weigh: sources.NewInbox(), watched: map[id][]engine.Who{}, blind: map[id]bool{},
		proven: map[string]bool{}, homes: map[[2]string]bool{}, said: map[string]bool{}, loads: map[id]load{},
	}
	s.scan = NewScan(func(p sources.Proc) bool { _, _, ok := s.recognize(p); return ok })
	e, err := newExits(nil)
	if err == nil {
		e.close()
	}
	s.able.Store(err == nil)
	return s
}

func (s *Source) String() string { return "process" }

// Watches reports whether the end of a process is noticed at once, without asking.
func (s *Source) Watches() bool { return s.able.Load() }

// Answer looks up what the question asks for, if it is about processes.
func (s *Source) Answer(q engine.Question) {
	switch q.Ask {
	case engine.AskProcess:
		s.inbox.Put(func() { s.process(q.Who) })
	case engine.AskProcesses:
		s.inbox.Put(s.soon)
	case engine.AskChildren:
		s.inbox.Put(func() { s.children(q) })
	case engine.AskBearers:
		s.inbox.Put(func() { s.bearers(q) })
	case engine.AskQuiet:
		s.inbox.Put(func() { s.quiet(q.Who) })
	}
}

// Retell tells again what runs.
func (s *Source) Retell() { s.Answer(engine.Question{Ask: engine.AskProcesses}) }

// Sync waits until everything asked for so far has been answered.
func (s *Source) Sync(ctx context.Context) error {
	done := make(chan struct{})
	s.inbox.Put(func() {
		defer close(done)
		if s.waiting {
			s.waiting = false
			s.due.Stop()
			s.look()
		}
	})
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run looks once, and then answers and tells of ends until ctx is done.
func (s *Source) Run(ctx context.Context, emit func(...engine.Event)) error {
	s.emit = emit
	s.due, s.waiting = time.NewTimer(settle), false
	s.due.Stop()
	defer s.due.Stop()
	s.exits = nil
	if e, err := newExits(func(p id) { s.inbox.Put(func() { s.ended(p) }) }); err == nil {
		s.exits = e
		defer e.close()
	}
	var beside sync.WaitGroup
	defer beside.Wait()
	ctx, end := context.WithCancel(ctx)
	defer end()
	beside.Go(func() { s.measuring(ctx) })
	s.able.Store(s.exits != nil && len(s.blind) == 0)
	for p := range s.watched {
		s.arm(p)
	}
	if s.look(); s.failed != nil {
		return s.failed
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.inbox.Ring():
			for _, do := range s.inbox.Take() {
				do()
			}
		case <-s.due.C:
			s.waiting = false
			s.look()
		}
		if s.failed != nil {
			return s.failed
		}
	}
}

func (s *Source) look() { s.failed = s.table() }

func (s *Source) soon() {
	if !s.waiting {
		s.waiting = true
		s.due.Reset(settle)
	}
}

// table looks at all processes and tells those of every CLI.
func (s *Source) table() error {
	if err := s.scan.Look(time.Now()); err != nil {
		return err
	}
	tracked := s.scan.Tracked()
	whos := make(map[int]engine.Who, len(tracked))
	procs := make(map[*sources.CLI]map[int]sources.Proc)
	for _, p := range tracked {
		if c, who, ok := s.recognize(p); ok {
			whos[p.PID] = s.fill(c, who, p, s.scan.Proc)
			if procs[c] == nil {
				procs[c] = map[int]sources.Proc{}
			}
			procs[c][p.PID] = p
		}
	}
	runs := make(map[*sources.CLI][]engine.Who)
	for c, all := range procs {
		alone := c.Alone(all)
		for _, p := range tracked {
			if alone[p.PID] {
				runs[c] = append(runs[c], whos[p.PID])
			}
		}
	}
	var events []engine.Event
	for i := range s.opt.CLIs {
		c := &s.opt.CLIs[i]
		if c.Runs != nil {
			events = append(events, engine.Event{By: engine.Process, Who: engine.Who{Tool: c.Name}, Fact: engine.Table{Runs: runs[c]}})
		}
	}
	s.emit(events...)
	for _, list := range runs {
		for _, who := range list {
			if !who.Loose {
				s.follow(id{who.PID, who.Ticks}, who)
			}
		}
	}
	return nil
}

// recognize finds the CLI a process is a run of.
func (s *Source) recognize(p sources.Proc) (*sources.CLI, engine.Who, bool) {
	for i := range s.opt.CLIs {
		c := &s.opt.CLIs[i]
		if c.Runs == nil {
			continue
		}
		if who, ok := c.Runs(p); ok {
			return c, who, true
		}
	}
	return nil, engine.Who{}, false
}

// fill adds what the process itself tells to what its CLI told.
func (s *Source) fill(c *sources.CLI, who engine.Who, p sources.Proc, parents func(int) (sources.Proc, bool)) engine.Who {
	who.Tool, who.PID, who.Ticks, who.Parent, who.TTY = c.Name, p.PID, p.Ticks, p.Parent, p.TTY
	who.Dir = realDir(p.Dir, who.Dir)
	if who.RunsIn == "" {
		who.RunsIn = RunsIn(p, parents)
	}
	if p.Ticks != 0 {
		who.Born = time.Now().Add(-age(p)).UnixMilli()
	}
	if who.TTY != "" {
		who.Term = p.Env[sources.TermEnv]
	}
	if who.Home == "" && c.HomeEnv != "" {
		who.Home = c.HomeAt(p.Env[c.HomeEnv])
	}
	if who.Home = realDir("", who.Home); who.Home != "" && !filepath.IsAbs(who.Home) {
		who.Home = ""
	}
	if key := [2]string{c.Name, who.Home}; who.Home != "" && !who.Loose && !s.homes[key] {
		s.homes[key] = true
		s.opt.OnHome(c.Name, who.Home)
	}
	return who
}

// process looks at one process and tells whether it lives.
func (s *Source) process(who engine.Who) {
	if who.PID == 0 {
		return
	}
	pid, seen := s.find(who)
	if !seen {
		s.tell(who, engine.Alive{Elsewhere: true})
		return
	}
	p, alive := glance(pid)
	s.sees(func(k id) bool { return k.pid == pid && (!alive || k.ticks != p.Ticks) })
	if !alive || who.Ticks != 0 && p.Ticks != 0 && p.Ticks != who.Ticks || who.Ticks == 0 && s.stranger(who, p) {
		s.tell(who, engine.Alive{})
		return
	}
	who = s.known(who, p)
	s.tell(who, engine.Alive{Yes: true})
	s.follow(id{pid, p.Ticks}, who)
}

// stranger reports whether p, of which somebody told the number alone, is another program
// than the CLI he meant: that number was given to it afterwards.
func (s *Source) stranger(who engine.Who, p sources.Proc) bool {
	detail(&p)
	c, _, ok := s.recognize(p)
	return who.Tool != "" && who.Domain == "" && len(p.Args) > 0 && (!ok || c.Name != who.Tool)
}

// known completes who by what its process tells.
func (s *Source) known(who engine.Who, p sources.Proc) engine.Who {
	asked := who
	who.Ticks = max(who.Ticks, p.Ticks) // they are equal, if both are known
	detail(&p)
	if who.Domain == "" {
		who.Parent, who.TTY = p.Parent, p.TTY
		if p.Dir != "" {
			who.Dir = realDir("", p.Dir)
		}
	}
	c, _, ok := s.recognize(p)
	p.Env = environ(p.PID)
	if !ok || c.Name != who.Tool && who.Tool != "" {
		who.RunsIn = RunsIn(p, read)
		return who
	}
	_, told, _ := s.recognize(p)
	told = s.fill(c, told, p, read)
	if asked.Domain == "" {
		who.Dir = told.Dir
	}
	who.RunsIn, who.Loose, who.Born, who.Term = told.RunsIn, told.Loose, told.Born, told.Term
	if who.ID == "" {
		who.ID = told.ID
	}
	if who.Home == "" {
		who.Home = told.Home
	}
	return who
}

// Look reads one process, but for its environment.
func Look(pid int) (sources.Proc, bool) { return read(pid) }

// read reads one process, for the names of ancestors.
func read(pid int) (sources.Proc, bool) {
	p, alive := glance(pid)
	if alive {
		detail(&p)
	}
	return p, alive
}

func (s *Source) tell(who engine.Who, fact engine.Alive) {
	s.emit(engine.Event{By: engine.Process, Who: who, Fact: fact})
}

// follow tells who when the process ends.
func (s *Source) follow(p id, who engine.Who) {
	if s.exits == nil && !s.able.Load() || p.ticks == 0 {
		return
	}
	list := s.watched[p]
	for i, old := range list {
		if old.Tool == who.Tool && old.Domain == who.Domain {
			list[i] = who
			return
		}
	}
	s.watched[p] = append(list, who)
	if len(list) == 0 {
		s.arm(p)
	}
}

func (s *Source) arm(p id) {
	if s.exits == nil {
		return
	}
	alive, err := s.exits.watch(p)
	if !alive {
		s.inbox.Put(func() { s.ended(p) })
	}
	if err != nil { // it is tried again at the next look at it
		delete(s.watched, p)
		s.blind[p] = true
		s.say("exits", "the end of processes is noticed late: "+err.Error())
	}
	s.sees(func(k id) bool { return k == p && err == nil })
}

// sees takes note that the ends of those are noticed, or have been.
func (s *Source) sees(those func(id) bool) {
	maps.DeleteFunc(s.blind, func(k id, _ bool) bool { return those(k) })
	s.able.Store(s.exits != nil && len(s.blind) == 0)
}

func (s *Source) ended(p id) {
	var events []engine.Event
	for _, who := range s.watched[p] {
		events = append(events, engine.Event{By: engine.Process, Who: who, Fact: engine.Alive{}})
	}
	delete(s.watched, p)
	if len(events) > 0 {
		s.emit(events...)
		s.soon()
	}
}

// say tells something at most once.
func (s *Source) say(key, text string) {
	if !s.said[key] {
		s.said[key] = true
		s.opt.Say(text)
	}
}
