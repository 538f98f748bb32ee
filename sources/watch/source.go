// Package watch follows the files that agent CLIs keep: their listings, read
// whole at each change, and their transcripts, read line by line as they grow.
package watch

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// Options are what a [Source] is made of. Only CLIs is needed.
type Options struct {
	CLIs     []sources.CLI
	Homes    func(sources.CLI) []string // the homes known at start; nil: [DefaultHomes]
	Say      func(string)               // tells the user, once, what cannot be done
	Coalesce time.Duration              // from the first write to a log until it is read; 0: 150 ms
	Recent   time.Duration              // folders of logs changed within are watched; 0: 14 days
	// OnBase is told of each database that is there, and when it may have changed.
	OnBase func(cli, home, path string)
}

// Source watches the files of every CLI. Its state is kept when Run is started
// again. Answer, AddHome, Refresh and Retell may be called from any goroutine, and never
// block.
type Source struct {
	opt   Options
	inbox *sources.Inbox // run by the goroutine of Run
	emit  func(...engine.Event)
	out   []engine.Event // the batch being put together

	w      *Watcher
	homes  []*home
	wholes map[string]*whole
	logs   map[string]*log
	dirty  map[string]*log // written to since the window opened
	bases  map[string]*stored
	torn   []*whole // to be read once more
	buf    []byte
	began  time.Time
	said   map[string]bool

	timer                    *time.Timer
	window, retry, rescanned time.Time // what the timer is for; rescanned: when last
	rescan                   time.Time
}

// New returns a Source that watches nothing yet.
func New(o Options) *Source {
	if o.Homes == nil {
		o.Homes = DefaultHomes
	}
	if o.Say == nil {
		o.Say = func(string) {}
	}
	if o.OnBase == nil {
		o.OnBase = func(string, string, string) {}
	}
	if o.Coalesce == 0 {
		o.Coalesce = 150 * time.Millisecond
	}
	if o.Recent == 0 {
		o.Recent = 14 * 24 * time.Hour
	}
	s := &Source{
		opt: o, inbox: sources.NewInbox(), buf: make([]byte, chunkLen), said: map[string]bool{},
		wholes: map[string]*whole{}, logs: map[string]*log{}, dirty: map[string]*log{},
		bases: map[string]*stored{},
	}
	for i := range o.CLIs {
		for _, dir := range o.Homes(o.CLIs[i]) {
			s.addHome(&s.opt.CLIs[i], dir)
		}
	}
	return s
}

// DefaultHomes are the home a CLI uses by default and those our own environment names.
func DefaultHomes(c sources.CLI) (out []string) {
	if c.HomeEnv != "" && os.Getenv(c.HomeEnv) != "" {
		out = append(out, c.HomeAt(os.Getenv(c.HomeEnv)))
	}
	if dir, err := os.UserHomeDir(); err == nil && c.Home != "" {
		out = append(out, filepath.Join(dir, filepath.FromSlash(c.Home)))
	}
	return out
}

func (s *Source) String() string { return "watch" }

// Answer reads what the question asks for, if it is about files.
func (s *Source) Answer(q engine.Question) {
	switch q.Ask {
	case engine.AskRecord:
		s.inbox.Put(func() { s.record(q.Who) })
	case engine.AskRecords:
		s.inbox.Put(func() { s.records(q.Who) })
	case engine.AskSettings:
		s.inbox.Put(func() { s.settings(q.Who) })
	case engine.AskFiles:
		s.Refresh()
	}
}

// AddHome watches one more home of a CLI.
func (s *Source) AddHome(cli, dir string) {
	s.inbox.Put(func() {
		for i := range s.opt.CLIs {
			if s.opt.CLIs[i].Name != cli {
				continue
			}
			if h := s.addHome(&s.opt.CLIs[i], dir); h != nil {
				s.survey(h, (*tree).any)
				s.flush()
				s.report()
			}
		}
	})
}

// Refresh looks at everything again, for what the system failed to report.
func (s *Source) Refresh() { s.inbox.Put(s.look) }

// Retell tells again what was read, as at a start: whole files, and the logs of the
// sessions that were asked about, near their ends.
func (s *Source) Retell() { s.inbox.Put(s.retell) }

// Sync waits until everything written and asked for so far has been told.
func (s *Source) Sync(ctx context.Context) error {
	done := make(chan struct{})
	s.inbox.Put(func() {
		defer close(done)
		s.changed(s.w.Take())
		s.window = time.Time{}
		s.readLogs()
	})
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run watches until ctx is done.
func (s *Source) Run(ctx context.Context, emit func(...engine.Event)) error {
	s.w, s.emit, s.out = NewWatcher(), emit, nil
	defer s.w.Close()
	s.timer = time.NewTimer(0)
	s.timer.Stop()
	defer s.timer.Stop()
	if s.began.IsZero() {
		s.began = time.Now()
	}
	for _, those := range []func(*tree) bool{(*tree).small, (*tree).large} { // what is read, first
		for _, h := range s.homes {
			s.survey(h, those)
		}
		s.flush()
	}
	s.report()
	for {
		s.arm()
		select {
		case <-ctx.Done():
			return nil
		case <-s.w.Ring():
			s.changed(s.w.Take())
		case <-s.inbox.Ring():
			for _, do := range s.inbox.Take() {
				do()
			}
		case <-s.timer.C:
			s.due(time.Now())
		}
	}
}

// arm sets the timer to the next thing that is due. At rest nothing is.
func (s *Source) arm() {
	var next time.Time
	for _, t := range []time.Time{s.window, s.retry, s.rescan} {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	s.timer.Stop()
	if !next.IsZero() {
		s.timer.Reset(time.Until(next))
	}
}

func (s *Source) due(now time.Time) {
	if passed(&s.retry, now) {
		s.readTorn()
	}
	if passed(&s.window, now) {
		s.readLogs()
	}
	if passed(&s.rescan, now) {
		s.look()
	}
}

func passed(t *time.Time, now time.Time) bool {
	if t.IsZero() || now.Before(*t) {
		return false
	}
	*t = time.Time{}
	return true
}

// flush hands over the batch.
func (s *Source) flush() {
	if len(s.out) > 0 {
		s.emit(s.out...)
		s.out = nil
	}
}

// say tells something at most once.
func (s *Source) say(key, text string) {
	if !s.said[key] {
		s.said[key] = true
		s.opt.Say(text)
	}
}
