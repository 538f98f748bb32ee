package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"sync"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// Heard is what a [Source] is made of. All but Say are needed.
type Heard struct {
	CLIs   []sources.CLI
	Socket string       // see [SocketPath]; whoever runs the Source holds the lock of that folder
	Say    func(string) // tells the user, once, what cannot be done
}

// Source hears the relays of the terminals that are open, and has them do what is asked
// for. Its methods may be called from any goroutine.
type Source struct {
	opt  Heard
	emit func(...engine.Event)

	mu    sync.Mutex
	open  map[string]*seat // guarded by mu; by the name of the terminal
	fresh chan struct{}    // guarded by mu; closed when one is opened
	said  map[string]bool  // guarded by mu
}

// seat is one open terminal.
type seat struct {
	Terminal
	conn    net.Conn
	titles  []said             // by CLI
	n       int                // orders so far; with answers guarded by the mutex of the Source
	answers map[int]chan error // by order
}

// Terminal is what is known of one that is open.
type Terminal struct {
	ID     string
	TTY    string
	Runs   int       // the process it runs; 0: none, or not known yet
	Typed  time.Time // when something was last typed in it by hand
	Unsent bool      // ... and no Enter has sent it
}

// ErrClosed is returned for a terminal that is not open, or not one of ours.
var ErrClosed = errors.New("its terminal is closed: open it again")

// New returns a Source that hears nothing yet.
func New(o Heard) *Source {
	if o.Say == nil {
		o.Say = func(string) {}
	}
	return &Source{opt: o, open: map[string]*seat{}, fresh: make(chan struct{}), said: map[string]bool{}}
}

func (s *Source) String() string { return "terminals" }

// Run hears until ctx is done.
func (s *Source) Run(ctx context.Context, emit func(...engine.Event)) error {
	s.emit = emit
	switch info, err := os.Lstat(s.opt.Socket); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.Mode()&(fs.ModeSocket|fs.ModeIrregular) == 0: // Windows tells some sockets as irregular files
		return fmt.Errorf("%s is in the way and no socket: move it away", s.opt.Socket)
	default:
		if err := os.Remove(s.opt.Socket); err != nil {
			return err
		}
	}
	l, err := net.Listen("unix", s.opt.Socket)
	if err != nil {
		return err
	}
	defer l.Close()
	if err := os.Chmod(s.opt.Socket, 0o600); err != nil {
		return err
	}
	ctx, over := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer over()
	wg.Go(func() { <-ctx.Done(); l.Close() })
	room := make(chan struct{}, mostOpen)
	for {
		c, err := l.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("accept: %w", err)
		}
		select {
		case room <- struct{}{}:
		default:
			s.once("room", fmt.Sprintf("more than %d terminals are open: what happens in the others is not told", mostOpen))
			c.Close()
			continue
		}
		wg.Go(func() {
			defer func() { <-room }()
			s.hear(ctx, c)
		})
	}
}

const (
	mostOpen = 512             // terminals
	greets   = 2 * time.Second // until one says which it is
	obeys    = 5 * time.Second // until one has done what it was told
)

// hear hears one relay until it is gone.
func (s *Source) hear(ctx context.Context, c net.Conn) {
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	in := newLines(c)
	_ = c.SetReadDeadline(time.Now().Add(greets))
	var w word
	err := in.next(&w)
	if err == nil && w.Hello == nil {
		err = errors.New("a word before the greeting")
	}
	if err == nil {
		err = w.Hello.check()
	}
	if err != nil {
		if !errors.Is(err, io.EOF) && ctx.Err() == nil {
			s.once("greeting", fmt.Sprintf("terminals: %v: left out", err))
		}
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	t := &seat{Terminal: Terminal{ID: w.Hello.Term, TTY: w.Hello.TTY}, conn: c, titles: make([]said, len(s.opt.CLIs)), answers: map[int]chan error{}}
	s.enter(t)
	defer s.leave(ctx, t)
	for {
		var w word
		switch err := in.next(&w); {
		case err == nil:
			s.take(t, w)
		case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed):
			return
		default:
			s.once("word", fmt.Sprintf("terminals: %v: it is greeted anew", err))
			return
		}
	}
}

// enter notes that a terminal is open. One that greets again has lost its connection.
func (s *Source) enter(t *seat) {
	s.mu.Lock()
	if old := s.open[t.ID]; old != nil {
		old.conn.Close()
	}
	s.open[t.ID] = t
	close(s.fresh)
	s.fresh = make(chan struct{})
	s.mu.Unlock()
	s.tell(t, engine.Who{TTY: t.TTY}, engine.Hosted{Open: true})
}

// leave notes that a terminal is closed. That we go ourselves closes none.
func (s *Source) leave(ctx context.Context, t *seat) {
	s.mu.Lock()
	for _, answer := range t.answers {
		answer <- ErrClosed
	}
	t.answers = nil
	ours := s.open[t.ID] == t
	if ours {
		delete(s.open, t.ID)
	}
	s.mu.Unlock()
	if ours && ctx.Err() == nil {
		s.tell(t, engine.Who{TTY: t.TTY}, engine.Hosted{})
	}
}

func (s *Source) tell(t *seat, who engine.Who, fact engine.Fact) {
	who.Term = t.ID
	s.emit(engine.Event{At: time.Now(), By: engine.Terminal, Who: who, Fact: fact})
}

// take takes what a relay tells.
func (s *Source) take(t *seat, w word) {
	switch {
	case w.Title != nil:
		s.titled(t, *w.Title)
	case w.Drew:
		s.tell(t, engine.Who{}, engine.Drew{})
	case w.Typed != nil:
		s.mu.Lock()
		t.Typed, t.Unsent = time.Now(), w.Typed.Unsent
		s.mu.Unlock()
	case w.Runs != 0:
		s.mu.Lock()
		t.Runs = w.Runs
		s.mu.Unlock()
		s.tell(t, engine.Who{TTY: t.TTY}, engine.Hosted{Open: true, Runs: w.Runs})
	case w.Ended != nil:
		s.mu.Lock()
		t.Runs = 0
		s.mu.Unlock()
	case w.Did != nil:
		var err error
		if w.Did.Error != "" {
			err = fmt.Errorf("its terminal: %.200s", w.Did.Error)
		}
		s.mu.Lock()
		answer := t.answers[w.Did.N]
		delete(t.answers, w.Did.N)
		s.mu.Unlock()
		if answer != nil {
			answer <- err
		}
	}
}

// said is what the title last said in the forms of a CLI.
type said struct {
	fact  engine.Titled
	at    time.Time
	moved bool // two forms were told: before that, a title says nothing
}

// refresh is how often a title that moves is told while it says the same.
const refresh = 2 * time.Second

// news reports whether t is worth telling at now, after what was said before.
func (s said) news(t engine.Titled, now time.Time) bool {
	switch {
	case s.at.IsZero() || s.fact.Level != t.Level || s.fact.Moves != t.Moves:
		return true
	case s.fact.Form == t.Form:
		return false
	case !s.moved:
		return true
	}
	return now.Sub(s.at) >= refresh
}

// titled tells what a title says, in the forms of whichever CLI may run there.
func (s *Source) titled(t *seat, title string) {
	now := time.Now()
	for i := range s.opt.CLIs {
		c := &s.opt.CLIs[i]
		fact, is := c.Titled(title)
		if is && t.titles[i].news(fact, now) {
			was := t.titles[i]
			t.titles[i] = said{fact, now, was.moved || !was.at.IsZero() && was.fact.Form != fact.Form}
			s.tell(t, engine.Who{Tool: c.Name}, fact)
		}
	}
}

// Retell tells again which terminals are open.
func (s *Source) Retell() {
	s.mu.Lock()
	var events []engine.Event
	for _, t := range s.open {
		events = append(events, engine.Event{By: engine.Terminal, Who: engine.Who{Term: t.ID, TTY: t.TTY}, Fact: engine.Hosted{Open: true, Runs: t.Runs}})
	}
	s.mu.Unlock()
	if len(events) > 0 {
		s.emit(events...)
	}
}

// once tells the user something at most once.
func (s *Source) once(key, text string) {
	s.mu.Lock()
	was := s.said[key]
	s.said[key] = true
	s.mu.Unlock()
	if !was {
		s.opt.Say(text)
	}
}

// Terminal returns an open terminal.
func (s *Source) Terminal(id string) (Terminal, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.open[id]; t != nil {
		return t.Terminal, true
	}
	return Terminal{}, false
}

// Await waits until a terminal is open.
func (s *Source) Await(ctx context.Context, id string) error {
	for {
		s.mu.Lock()
		t, fresh := s.open[id], s.fresh
		s.mu.Unlock()
		if t != nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-fresh:
		}
	}
}

// Type types text into a terminal, and then Enter if so asked. It returns when that is
// done.
func (s *Source) Type(ctx context.Context, id, text string, enter bool) error {
	if len(text) > longestText {
		return fmt.Errorf("%d bytes are too many to type: %d is the most", len(text), longestText)
	}
	return s.order(ctx, id, order{Type: text, Enter: enter})
}

// longestText is what can be typed in one go.
const longestText = 64 << 10

// Close closes a terminal as one closes its window. Who runs in it is hung up on.
func (s *Source) Close(ctx context.Context, id string) error {
	err := s.order(ctx, id, order{Close: true})
	if errors.Is(err, ErrClosed) {
		if _, open := s.Terminal(id); !open {
			return nil
		}
	}
	return err
}

func (s *Source) order(ctx context.Context, id string, o order) error {
	answer := make(chan error, 1)
	s.mu.Lock()
	t := s.open[id]
	if t == nil {
		s.mu.Unlock()
		return ErrClosed
	}
	t.n++
	o.N = t.n
	t.answers[o.N] = answer
	s.mu.Unlock()
	ctx, cancel := context.WithTimeoutCause(ctx, obeys, errors.New("its terminal does not answer: go there yourself"))
	defer cancel()
	if !send(t.conn, line(o)) {
		t.conn.Close() // half an order may have been sent
	}
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
