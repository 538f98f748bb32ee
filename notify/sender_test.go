package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"deskbell/engine"
)

// screen is a desktop that keeps what it is told.
type screen struct {
	events chan Event

	mu    sync.Mutex
	mute  bool
	calls []string                               // guarded by mu
	fail  error                                  // guarded by mu
	hang  func(ctx context.Context, what string) // guarded by mu
}

func (s *screen) call(ctx context.Context, what string) error {
	s.mu.Lock()
	s.calls = append(s.calls, what)
	hang, err := s.hang, s.fail
	s.mu.Unlock()
	if hang != nil {
		hang(ctx, what)
	}
	return errors.Join(err, ctx.Err())
}

func (s *screen) Raise(ctx context.Context, n Notice) (mute bool, err error) {
	what := "raise " + string(n.ID) + " " + n.Body
	if n.Silent {
		what += " silent"
	}
	if n.Sound {
		what += " sound"
	}
	return s.mute, s.call(ctx, what)
}
func (s *screen) Withdraw(ctx context.Context, id engine.ID) error {
	return s.call(ctx, "withdraw "+string(id))
}
func (s *screen) Events() <-chan Event { return s.events }
func (s *screen) Close(ctx context.Context) error {
	return s.call(ctx, "close")
}

func (s *screen) set(fail error, hang func(context.Context, string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail, s.hang = fail, hang
}

// took gives what was called since it was last asked, once all is quiet.
func (s *screen) took() []string {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.calls
	s.calls = nil
	return out
}

// sending runs f with a sender that runs, and waits for its end.
func sending(t *testing.T, f func(t *testing.T, s *Sender, d *screen, said func() []string)) {
	synctest.Test(t, func(t *testing.T) {
		d := &screen{events: make(chan Event)}
		var mu sync.Mutex
		var words []string
		s := NewSender(d, func(what string) {
			mu.Lock()
			defer mu.Unlock()
			words = append(words, what)
		})
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() { s.Run(ctx) })
		f(t, s, d, func() []string {
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(words)
		})
		cancel()
		wg.Wait()
	})
}

func text(id, body string) Notice { return Notice{ID: engine.ID(id), Body: body, Sound: true} }

func changed(id, body string) Notice {
	return Notice{ID: engine.ID(id), Body: body, Silent: true, Replaces: true}
}

func want(t *testing.T, d *screen, calls ...string) {
	t.Helper()
	if got := d.took(); !slices.Equal(got, calls) {
		t.Errorf("got %q, want %q", got, calls)
	}
}

func TestSenderLatestWins(t *testing.T) {
	sending(t, func(t *testing.T, s *Sender, d *screen, said func() []string) {
		free := make(chan struct{})
		d.set(nil, func(context.Context, string) { <-free })
		s.Show([]Notice{text("s0", "first")}, nil)
		want(t, d, "raise s0 first sound")
		s.Show([]Notice{text("s1", "a"), text("s2", "a")}, nil)
		s.Show([]Notice{changed("s1", "b"), text("s2", "b")}, nil)
		s.Show([]Notice{text("s3", "a")}, nil)
		s.Show([]Notice{text("s2", "c")}, []engine.ID{"s3", "s0"})
		close(free)
		d.set(nil, nil)
		// What had not been shown yet rings with its newest text.
		want(t, d, "raise s1 b sound", "raise s2 c sound", "withdraw s3", "withdraw s0")
		s.Show([]Notice{changed("s1", "c")}, nil)
		want(t, d, "raise s1 c silent")
		if got := said(); got != nil {
			t.Errorf("said %q", got)
		}
	})
}

// A call that never returns keeps nobody waiting: not the caller, not the end.
func TestSenderStuckC95(t *testing.T) {
	sending(t, func(t *testing.T, s *Sender, d *screen, said func() []string) {
		never := make(chan struct{})
		t.Cleanup(func() { close(never) })
		d.set(nil, func(_ context.Context, what string) {
			if what != "close" {
				<-never
			}
		})
		began := time.Now()
		for i := range 1000 {
			s.Show([]Notice{text(fmt.Sprint("s", i), "a")}, nil)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("the caller waited %v", took)
		}
		synctest.Wait()
		if len(s.wish) > most || len(s.order) > most {
			t.Errorf("%d wishes are kept, %d in order", len(s.wish), len(s.order))
		}
		time.Sleep(limit - time.Millisecond)
		if got := said(); got != nil {
			t.Errorf("said %q before its time", got)
		}
		time.Sleep(time.Hour)
		if got := said(); !slices.Equal(got, []string{"notices are not shown: the notification service does not answer"}) {
			t.Errorf("said %q", got)
		}
		if got := d.took(); len(got) != 1 {
			t.Errorf("got %d calls, want the one that hangs", len(got))
		}
	})
}

// A call that honours its deadline is tried again with what is wanted then.
func TestSenderSlow(t *testing.T) {
	sending(t, func(t *testing.T, s *Sender, d *screen, said func() []string) {
		d.set(nil, func(ctx context.Context, _ string) { <-ctx.Done() })
		s.Show([]Notice{text("s1", "a")}, nil)
		time.Sleep(patience*limit + time.Second)
		want(t, d, "raise s1 a sound")
		d.set(nil, nil)
		s.Show([]Notice{text("s2", "a")}, nil)
		want(t, d, "raise s2 a sound", "raise s1 a sound")
		if got := said(); len(got) != 1 {
			t.Errorf("said %q", got)
		}
	})
}

// Each thing that is wrong is said once, and what was missed is shown as soon as
// something can be.
func TestSenderMissingC96(t *testing.T) {
	sending(t, func(t *testing.T, s *Sender, d *screen, said func() []string) {
		free := make(chan struct{})
		d.set(errors.New("no\nservice"), func(context.Context, string) { <-free })
		s.Show([]Notice{text("s1", "a"), text("s2", "a"), text("s3", "a")}, nil)
		s.Show(nil, []engine.ID{"s2"})
		synctest.Wait()
		d.set(errors.New("no service"), nil)
		close(free)
		want(t, d, "raise s1 a sound", "withdraw s2", "raise s3 a sound")
		d.set(errors.New("no bus"), nil)
		s.Show([]Notice{changed("s1", "b")}, nil)
		want(t, d, "raise s1 b sound")
		if got := said(); !slices.Equal(got, []string{"notices are not shown: no service", "notices are not shown: no bus"}) {
			t.Errorf("said %q", got)
		}
		d.set(nil, nil)
		d.events <- Event{Action: appeared}
		got := d.took()
		slices.Sort(got)
		if !slices.Equal(got, []string{"raise s1 b sound", "raise s3 a sound"}) {
			t.Errorf("got %q", got)
		}
		d.events <- Event{Action: appeared}
		want(t, d)
	})
}

// A service that appears while we are told that there is none is not missed.
func TestSenderAppearsMeanwhile(t *testing.T) {
	sending(t, func(t *testing.T, s *Sender, d *screen, said func() []string) {
		free := make(chan struct{})
		d.set(errors.New("no service"), func(context.Context, string) { <-free })
		s.Show([]Notice{text("s1", "a")}, nil)
		want(t, d, "raise s1 a sound")
		d.events <- Event{Action: appeared}
		d.set(nil, nil)
		close(free)
		want(t, d, "raise s1 a sound")
		// A silent text for what is not up is no failure.
		d.set(errNotUp, nil)
		s.Show([]Notice{changed("s9", "b")}, nil)
		want(t, d, "raise s9 b silent")
		d.set(nil, nil)
		s.Show([]Notice{text("s2", "a")}, nil)
		want(t, d, "raise s2 a sound")
		if got := said(); len(got) != 1 {
			t.Errorf("said %q", got)
		}
	})
}

func TestSenderEvents(t *testing.T) {
	sending(t, func(t *testing.T, s *Sender, d *screen, _ func() []string) {
		for i := range 100 { // nobody reads: the sender goes on
			d.events <- Event{ID: engine.ID(fmt.Sprint(i)), Action: Open}
		}
		if e := <-s.Events(); e.ID != "0" {
			t.Errorf("got %+v", e)
		}
		s.Show([]Notice{text("s1", "a")}, nil)
		want(t, d, "raise s1 a sound")
	})
}

// At its end the sender clears the screen, but does not wait for one that hangs.
func TestSenderEnd(t *testing.T) {
	for _, hang := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			d := &screen{events: make(chan Event)}
			never := make(chan struct{})
			if hang {
				d.set(nil, func(context.Context, string) { <-never })
			}
			s := NewSender(d, nil)
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			s.Show([]Notice{text("s1", "a")}, nil)
			began := time.Now()
			s.Run(ctx)
			if took := time.Since(began); hang != (took == limit) {
				t.Errorf("it took %v to end", took)
			}
			close(never)
			if got := strings.Join(d.took(), ","); got != "close" {
				t.Errorf("got %q, want close", got)
			}
		})
	}
}

// What is being shown as it ends is waited for: only who has its number can close it. A
// service that is stuck is told to close the others.
func TestSenderEndsMeanwhile(t *testing.T) {
	for _, test := range []struct{ answer, want time.Duration }{{limit / 4, limit / 4}, {time.Hour, limit / 2}} {
		synctest.Test(t, func(t *testing.T) {
			d := &screen{events: make(chan Event)}
			d.set(nil, func(ctx context.Context, what string) {
				select {
				case <-time.After(test.answer):
				case <-ctx.Done():
				}
			})
			s := NewSender(d, nil)
			ctx, cancel := context.WithCancel(context.Background())
			ended := make(chan time.Time)
			go func() { s.Run(ctx); ended <- time.Now() }()
			s.Show([]Notice{text("s1", "a")}, nil)
			want(t, d, "raise s1 a sound")
			d.set(nil, nil)
			began := time.Now()
			cancel()
			if took := (<-ended).Sub(began); took != test.want {
				t.Errorf("it took %v to end, want %v", took, test.want)
			}
			want(t, d, "close")
		})
	}
}

// Where there is no room, what is to go from the screen stays wished.
func TestSenderFull(t *testing.T) {
	sending(t, func(t *testing.T, s *Sender, d *screen, _ func() []string) {
		free := make(chan struct{})
		d.set(nil, func(context.Context, string) { <-free })
		s.Show([]Notice{text("s0", "a")}, nil)
		want(t, d, "raise s0 a sound")
		s.Show(nil, []engine.ID{"s0"})
		for i := range 2 * most {
			s.Show([]Notice{text(fmt.Sprint("t", i), "a")}, nil)
		}
		d.set(nil, nil)
		close(free)
		if got := d.took(); len(got) != most || got[0] != "withdraw s0" {
			t.Errorf("got %d calls, the first is %q", len(got), got[0])
		}
	})
}

// A notice that a service crashes at is not shown to each of its successors.
func TestSenderCrashes(t *testing.T) {
	sending(t, func(t *testing.T, s *Sender, d *screen, said func() []string) {
		d.set(failedAt{errors.New("it is gone")}, func(_ context.Context, what string) {
			if what != "close" {
				d.events <- Event{Action: appeared}
			}
		})
		s.Show([]Notice{text("s1", "a")}, nil)
		want(t, d, "raise s1 a sound", "raise s1 a sound", "raise s1 a sound")
		d.set(nil, nil)
		d.events <- Event{Action: appeared}
		want(t, d)
		// one that is shown after all is up like any other
		up := text("s1", "c")
		up.Stays = true
		s.Show([]Notice{up}, nil)
		want(t, d, "raise s1 c sound")
		d.events <- Event{Action: appeared}
		want(t, d, "raise s1 c")
		s.Show(nil, []engine.ID{"s1"})
		s.Show([]Notice{text("s1", "b")}, nil)
		if got := d.took(); got[len(got)-1] != "raise s1 b sound" {
			t.Errorf("got %q", got)
		}
	})
}
