// Package listing reads what agent CLIs keep in databases. It never writes to one, makes
// no file beside it, and holds no lock for longer than a look takes.
package listing

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// Options are what a [Source] is made of. Only CLIs is needed.
type Options struct {
	CLIs   []sources.CLI
	Say    func(string)  // tells the user, once, what cannot be done
	Recent time.Duration // what is older is not told at a start; 0: 14 days
}

// Between two tries to read a database that is busy: the first pause, and the longest.
// One that is not what it should be is looked at again after the longest, too, and said to
// be so only when it has been for a while: it may have been in the making.
const (
	soon   = 50 * time.Millisecond
	late   = time.Minute
	making = 20 * time.Second
)

// asksKept bounds the sessions that are remembered as asked about.
const asksKept = 256

// Source reads the databases it is told of. Its state is kept when Run is started again.
// Its other methods may be called from any goroutine, and never block.
type Source struct {
	opt   Options
	inbox *sources.Inbox // run by the goroutine of Run
	emit  func(...engine.Event)
	bases map[string]*base // by path
	asked []engine.Who     // the sessions that were asked about, the last one last
	said  map[string]bool
	timer *time.Timer
}

// New returns a Source that knows of no database yet.
func New(o Options) *Source {
	if o.Say == nil {
		o.Say = func(string) {}
	}
	if o.Recent == 0 {
		o.Recent = 14 * 24 * time.Hour
	}
	return &Source{opt: o, inbox: sources.NewInbox(), bases: map[string]*base{}, said: map[string]bool{}}
}

func (s *Source) String() string { return "listing" }

// Changed says that the database at path, below that home of a CLI, is there or was
// written to.
func (s *Source) Changed(cli, home, path string) {
	s.inbox.Put(func() {
		if b := s.base(cli, home, path); b != nil {
			s.read(b, time.Now())
		}
	})
}

// Answer reads what the question asks for, if it is about conversations.
func (s *Source) Answer(q engine.Question) {
	switch who := (engine.Who{Tool: q.Who.Tool, ID: q.Who.ID, Home: q.Who.Home}); {
	case q.Ask == engine.AskRecord && who.ID != "":
		s.inbox.Put(func() {
			s.asked = append(slices.DeleteFunc(s.asked, func(w engine.Who) bool { return w == who }), who)
			s.asked = s.asked[max(0, len(s.asked)-asksKept):]
			s.each(who, func(b *base) { b.asked = append(b.asked, who.ID) })
		})
	case q.Ask == engine.AskRecords:
		s.inbox.Put(func() { s.each(who, func(b *base) { b.last = true }) })
	}
}

// each has what who is about read in the databases that it may be in.
func (s *Source) each(who engine.Who, wish func(b *base)) {
	for _, b := range s.sorted() {
		if b.has(who) {
			wish(b)
			s.read(b, time.Now())
		}
	}
}

// Retell tells again what was read, as at a start.
func (s *Source) Retell() {
	s.inbox.Put(func() {
		for _, b := range s.sorted() {
			b.again()
			s.read(b, time.Now())
		}
	})
}

// Sync waits until everything that was asked for so far has been told.
func (s *Source) Sync(ctx context.Context) error {
	done := make(chan struct{})
	s.inbox.Put(func() { close(done) })
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run reads until ctx is done.
func (s *Source) Run(ctx context.Context, emit func(...engine.Event)) error {
	s.emit = emit
	s.timer = time.NewTimer(0)
	s.timer.Stop()
	defer s.timer.Stop()
	for {
		s.arm()
		select {
		case <-ctx.Done():
			return nil
		case <-s.inbox.Ring():
			for _, do := range s.inbox.Take() {
				do()
			}
		case now := <-s.timer.C:
			for _, b := range s.sorted() {
				if !b.retry.IsZero() && !now.Before(b.retry) {
					s.read(b, now)
				}
			}
		}
	}
}

// arm sets the timer to the next try. Mostly there is none.
func (s *Source) arm() {
	var next time.Time
	for _, b := range s.bases {
		if !b.retry.IsZero() && (next.IsZero() || b.retry.Before(next)) {
			next = b.retry
		}
	}
	s.timer.Stop()
	if !next.IsZero() {
		s.timer.Reset(time.Until(next))
	}
}

// base is the database at path, nil if nobody's description fits it.
func (s *Source) base(cli, home, path string) *base {
	if b := s.bases[path]; b != nil {
		return b
	}
	for i := range s.opt.CLIs {
		if c := &s.opt.CLIs[i]; c.Name == cli {
			for n := range c.Bases {
				if b := newBase(c, &c.Bases[n], home, path); b != nil {
					s.bases[path] = b
					return b
				}
			}
		}
	}
	return nil
}

func (s *Source) sorted() []*base {
	return slices.SortedFunc(maps.Values(s.bases), func(a, b *base) int { return cmp.Compare(a.path, b.path) })
}

// read hands over what is new in b, or sees to it that it is read later.
func (s *Source) read(b *base, now time.Time) {
	if b.strange && now.Before(b.retry) {
		return
	}
	if !b.begun {
		for _, who := range s.asked {
			if b.has(who) {
				b.asked = append(b.asked, who.ID)
			}
		}
	}
	events, err := b.read(now, s.opt.Recent)
	b.retry, b.strange = time.Time{}, false
	kind, text := b.judge(err)
	if kind == fine {
		b.tries, b.failing = 0, time.Time{}
	} else if b.failing.IsZero() {
		b.failing = now
	}
	lasts := !b.failing.IsZero() && now.Sub(b.failing) >= making
	switch {
	case kind == gone:
		delete(s.bases, b.path) // it is told of again when it is there
	case kind == strange && lasts:
		b.retry, b.strange = now.Add(late), true
		s.say(b.path, text)
	case kind != fine:
		b.retry = now.Add(min(soon<<min(b.tries, 20), late))
		b.tries++
		if lasts {
			s.say(b.path, text)
		}
	}
	for _, bad := range b.bad {
		s.say(b.path+" rows", fmt.Sprintf("%s: %v: left out, further ones too", b.path, bad))
	}
	b.bad = nil
	if len(events) > 0 {
		s.emit(events...)
	}
}

// say tells something at most once.
func (s *Source) say(key, text string) {
	if !s.said[key] {
		s.said[key] = true
		s.opt.Say(text)
	}
}
