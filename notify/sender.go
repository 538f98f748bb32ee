package notify

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"deskbell/engine"
)

const (
	limit    = 3 * time.Second // a call to the desktop may take so long
	patience = 10              // ... and this many times longer until its answer is of no use
	most     = 256             // notices kept for a desktop that is stuck
	tries    = 3               // a service may fail at one notice, perhaps each time by a crash
)

// errSilent is what a desktop is said to do that does not answer in time.
var errSilent = errors.New("the notification service does not answer")

// errNotUp is what [Desktop.Raise] answers to a silent notice where there is none
// to change.
var errNotUp = errors.New("no such notice is up")

// failedAt is an error of a service that was there and was handed the notice.
type failedAt struct{ error }

func (f failedAt) Unwrap() error { return f.error }

// Sender owns the desktop. It never keeps a caller waiting: per notice it holds
// the latest wish only, and one goroutine carries them out one after the other.
type Sender struct {
	// Say is told, once each, what keeps notices from the screen.
	Say func(string)
	// Limit is how long a call may take; zero: 3 s.
	Limit time.Duration
	// Bell rings where the desktop has no sound; nil: nothing does.
	Bell *Bell
	// Command is told, too; nil: there is none.
	Command *Command

	desktop Desktop
	events  chan Event
	wake    chan struct{}

	mu    sync.Mutex
	wish  map[engine.ID]wish // guarded by mu
	order []engine.ID        // guarded by mu: the IDs of wish, the oldest first

	// What follows belongs to the goroutine of Run.
	up     map[engine.ID]Notice // on the screen, as far as we know
	missed map[engine.ID]Notice // should be there, but the desktop failed
	failed map[engine.ID]int    // how often the service failed at it
	anew   bool                 // the service appeared since the last call began
	said   map[string]bool
}

// wish is what should become of one notice.
type wish struct {
	id     engine.ID
	notice *Notice // nil: to be withdrawn
}

// NewSender makes a sender for d. Nothing is shown before [Sender.Run].
func NewSender(d Desktop, say func(string)) *Sender {
	return &Sender{
		Say: say, desktop: d, events: make(chan Event, 16), wake: make(chan struct{}, 1),
		wish: map[engine.ID]wish{}, up: map[engine.ID]Notice{}, missed: map[engine.ID]Notice{},
		failed: map[engine.ID]int{}, said: map[string]bool{},
	}
}

// Show wants the notices raise on the screen and those of withdraw off it. It
// returns at once.
func (s *Sender) Show(raise []Notice, withdraw []engine.ID) {
	s.Command.Tell(raise, withdraw)
	s.mu.Lock()
	for _, id := range withdraw {
		s.putLocked(wish{id: id})
	}
	for i := range raise {
		n := raise[i]
		s.putLocked(wish{n.ID, &n})
	}
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Events tells of clicks on notices and of notices that were closed.
func (s *Sender) Events() <-chan Event { return s.events }

func (s *Sender) putLocked(w wish) {
	old, waits := s.wish[w.id]
	if !waits {
		if len(s.order) >= most { // what stays up for ever is worse than what is missed
			i := max(0, slices.IndexFunc(s.order, func(id engine.ID) bool { return s.wish[id].notice != nil }))
			delete(s.wish, s.order[i])
			s.order = slices.Delete(s.order, i, i+1)
		}
		s.order = append(s.order, w.id)
	} else if w.notice != nil && old.notice != nil {
		w.notice = w.notice.instead(old.notice)
	}
	s.wish[w.id] = w
}

// instead is n where old has not been shown yet: it rings as old would have.
func (n *Notice) instead(old *Notice) *Notice {
	if n.Silent {
		c := *n
		c.Silent, c.Replaces, c.Sound = old.Silent, old.Replaces, old.Sound
		return &c
	}
	return n
}

func (s *Sender) take() (w wish, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.order) == 0 {
		return w, false
	}
	w = s.wish[s.order[0]]
	delete(s.wish, w.id)
	s.order = s.order[1:]
	return w, true
}

// Run carries wishes out until ctx is done; then it clears the screen.
func (s *Sender) Run(ctx context.Context) {
	var command sync.WaitGroup
	defer command.Wait()
	if s.Command != nil {
		command.Go(func() { s.Command.Run(ctx) })
	}
	defer s.Bell.Wait()
	span := s.Limit
	if span <= 0 {
		span = limit
	}
	var (
		hand     *wish       // under way
		answered chan answer // of what is under way
		late     <-chan time.Time
		cancel   = func() {}
	)
	for {
		if hand == nil {
			if w, ok := s.take(); ok && ctx.Err() == nil {
				call, stop := context.WithTimeout(context.WithoutCancel(ctx), patience*span)
				hand, answered, cancel, late = &w, make(chan answer, 1), stop, time.After(span)
				s.prepare(hand)
				go func(w wish, to chan<- answer) { to <- s.call(call, w) }(w, answered)
			}
		}
		select {
		case <-ctx.Done():
			s.clear(span, hand != nil, answered, cancel)
			cancel()
			return
		case a := <-answered:
			cancel()
			s.settle(*hand, a.err)
			if a.mute && hand.notice != nil && hand.notice.Sound {
				s.Bell.Ring(ctx)
			}
			hand, answered, late = nil, nil, nil
		case <-late: // given up, but its answer still tells what is on the screen
			late = nil
			s.say(errSilent)
		case <-s.wake:
		case e := <-s.desktop.Events():
			s.happened(e)
		}
	}
}

// prepare makes w what is to be asked of the desktop.
func (s *Sender) prepare(w *wish) {
	if w.notice == nil {
		delete(s.missed, w.id) // nor is it up, for a service that starts anew now
		delete(s.up, w.id)
		delete(s.failed, w.id)
	} else if old, ok := s.missed[w.id]; ok {
		w.notice = w.notice.instead(&old)
		delete(s.missed, w.id)
	}
	s.anew = false
}

// answer is what the desktop said.
type answer struct {
	mute bool // it made no sound, and does not mind one
	err  error
}

func (s *Sender) call(ctx context.Context, w wish) answer {
	if w.notice == nil {
		return answer{err: s.desktop.Withdraw(ctx, w.id)}
	}
	n := *w.notice
	if n.Sound {
		n.bell = s.Bell.File()
	}
	mute, err := s.desktop.Raise(ctx, n)
	return answer{mute, err}
}

// settle takes in how w went.
func (s *Sender) settle(w wish, err error) {
	var at failedAt
	if errors.As(err, &at) {
		s.failed[w.id]++
	}
	switch {
	case errors.Is(err, errNotUp):
		return
	case w.notice == nil:
	case err == nil:
		s.up[w.id] = *w.notice
		delete(s.failed, w.id)
	case s.failed[w.id] >= tries:
	case s.anew:
		s.retry(*w.notice) // the service came while we were told that there is none
	default:
		s.missed[w.id] = *w.notice
	}
	if err != nil {
		s.say(err)
	} else if w.notice != nil {
		s.again()
	}
}

// again puts what was missed up for another try.
func (s *Sender) again() {
	for _, n := range s.missed {
		s.retry(n)
	}
	clear(s.missed)
}

// retry wants n unless something newer is wanted.
func (s *Sender) retry(n Notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w, waits := s.wish[n.ID]; !waits {
		s.putLocked(wish{n.ID, &n})
	} else if w.notice != nil {
		w.notice = w.notice.instead(&n)
		s.wish[n.ID] = w
	}
}

// happened takes in what the desktop tells.
func (s *Sender) happened(e Event) {
	if e.Action != appeared {
		delete(s.up, e.ID)
		post(s.events, e)
		return
	}
	s.anew = true
	for id, n := range s.up {
		if n.Stays { // it went with the service, but nobody answered it
			n.Replaces, n.Silent, n.Sound = false, false, false
			s.retry(n)
		}
		delete(s.up, id)
	}
	s.again()
}

// clear takes everything off the screen, if the desktop lets us. A call that is under
// way has half the time to tell what it put there, then stop ends it.
func (s *Sender) clear(span time.Duration, busy bool, under <-chan answer, stop func()) {
	ctx, cancel := context.WithTimeout(context.Background(), span)
	defer cancel()
	if busy {
		defer time.AfterFunc(span/2, stop).Stop()
		select {
		case <-under:
		case <-ctx.Done():
			return
		}
	}
	done := make(chan error, 1)
	go func() { done <- s.desktop.Close(ctx) }()
	select {
	case err := <-done:
		s.say(err)
	case <-ctx.Done():
	}
}

// say tells of err, once.
func (s *Sender) say(err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = errSilent
	}
	what := "notices are not shown: " + cut(clean(err.Error()), 2*maxBody)
	if s.Say == nil || s.said[what] || len(s.said) >= most {
		return
	}
	s.said[what] = true
	s.Say(what)
}
