package live

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"deskbell/engine"
)

// script is an engine that does what a test says.
type script struct {
	apply    func(now time.Time, events []engine.Event) engine.Step
	sessions []engine.Session
	passes   int
}

func (s *script) Apply(now time.Time, events ...engine.Event) engine.Step {
	s.passes++
	if s.apply == nil {
		return engine.Step{}
	}
	return s.apply(now, events)
}

func (s *script) Snapshot(all bool) engine.Snapshot {
	return engine.Snapshot{Sessions: slices.Clone(s.sessions), Counts: engine.Count(s.sessions)}
}

// runs starts l for the length of a test.
func runs(t *testing.T, l *Loop) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { l.Run(ctx) })
	t.Cleanup(func() { cancel(); wg.Wait() })
}

func event(id string) engine.Event {
	return engine.Event{By: engine.Hook, Who: engine.Who{ID: id}, Fact: engine.Started{}}
}

// TestIdleMachineSleeps checks that a machine at rest costs no pass at all.
func TestIdleMachineSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &script{}
		rest := 3
		e.apply = func(now time.Time, _ []engine.Event) (step engine.Step) {
			if rest--; rest > 0 {
				step.Next = now.Add(time.Minute)
			}
			return step
		}
		l := NewLoop(e)
		runs(t, l)
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if e.passes != 3 {
			t.Fatalf("got %d passes until it rests, want 3", e.passes)
		}
		time.Sleep(240 * time.Hour)
		synctest.Wait()
		if e.passes != 3 {
			t.Errorf("woke %d times in ten idle days", e.passes-3)
		}
	})
}

// TestOneTimer checks that the engine and the ticks are each called when they asked.
func TestOneTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		every := func(d time.Duration) func(now time.Time) time.Time {
			next := start.Add(d)
			return func(now time.Time) time.Time {
				if !now.Before(next) {
					next = next.Add(d)
				}
				return next
			}
		}
		ownNext, planNext := every(7*time.Second), every(5*time.Second)
		e := &script{apply: func(now time.Time, _ []engine.Event) engine.Step { return engine.Step{Next: ownNext(now)} }}
		l := NewLoop(e)
		var at []time.Duration
		l.Ticks = []Tick{
			func(now time.Time, _ engine.Step, _ engine.Snapshot) time.Time {
				at = append(at, now.Sub(start))
				return planNext(now)
			},
			func(time.Time, engine.Step, engine.Snapshot) time.Time { return time.Time{} },
		}
		runs(t, l)
		time.Sleep(15*time.Second + time.Millisecond)
		synctest.Wait()
		const s = time.Second
		if want := []time.Duration{0, 5 * s, 7 * s, 10 * s, 14 * s, 15 * s}; !slices.Equal(at, want) {
			t.Errorf("got passes at %v, want %v", at, want)
		}
	})
}

// TestPastDeadlineDoesNotSpin checks that a deadline nobody ever meets is harmless.
func TestPastDeadlineDoesNotSpin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &script{apply: func(now time.Time, _ []engine.Event) engine.Step { return engine.Step{Next: now.Add(-time.Hour)} }}
		l := NewLoop(e)
		runs(t, l)
		time.Sleep(time.Minute)
		synctest.Wait()
		if e.passes > 75 {
			t.Errorf("got %d passes in a minute, want about one a second", e.passes)
		}
	})
}

func TestDoSeesWhatCameBefore(t *testing.T) {
	e := &script{}
	var seen int
	e.apply = func(_ time.Time, events []engine.Event) engine.Step { seen += len(events); return engine.Step{} }
	l := NewLoop(e)
	runs(t, l)
	for i := range 1000 {
		l.Emit(event("a"), event("b"))
		if i%100 != 99 {
			continue
		}
		var got int
		if err := l.Do(t.Context(), func() { got = seen }); err != nil || got != 2*(i+1) {
			t.Fatalf("got %d events, %v, want %d", got, err, 2*(i+1))
		}
	}
}

func TestQuestionsAreAsked(t *testing.T) {
	want := engine.Question{Ask: engine.AskProcess, Session: "s1"}
	e := &script{apply: func(_ time.Time, events []engine.Event) (step engine.Step) {
		if len(events) > 0 {
			step.Questions = []engine.Question{want}
		}
		return step
	}}
	l := NewLoop(e)
	asked := make(chan engine.Question, 1)
	l.Ask = func(q engine.Question) { asked <- q }
	runs(t, l)
	l.Emit(event("a"))
	if got := <-asked; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestEmittersWait checks that those who bring more than the engine takes wait, and
// that nothing piles up meanwhile.
func TestEmittersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		e := &script{}
		var applied int
		e.apply = func(_ time.Time, events []engine.Event) engine.Step {
			if applied += len(events); applied == 1 {
				<-gate
			}
			return engine.Step{}
		}
		l := NewLoop(e)
		runs(t, l)
		l.Emit(event("a"))
		synctest.Wait()
		const many = 4 * queued
		var brought atomic.Int64
		var wg sync.WaitGroup
		wg.Go(func() {
			for range many {
				l.Emit(event("a"))
				brought.Add(1)
			}
		})
		synctest.Wait()
		if got := brought.Load(); got != queued {
			t.Errorf("a busy engine's loop took %d batches, want %d", got, queued)
		}
		close(gate)
		wg.Wait()
		synctest.Wait()
		if applied != many+1 {
			t.Errorf("got %d events in the end, want %d", applied, many+1)
		}
	})
}

// TestFlood checks that no event is lost, that each sender's keep their order, and
// that what is held afterwards does not grow with what went through.
func TestFlood(t *testing.T) {
	const senders, each = 4, 25_000
	e := &script{}
	next := make(map[string]int)
	var most, total int
	e.apply = func(_ time.Time, events []engine.Event) (step engine.Step) {
		most = max(most, len(events))
		for _, ev := range events {
			if ev.Who.PID != next[ev.Who.ID] {
				t.Errorf("sender %s: got event %d, want %d", ev.Who.ID, ev.Who.PID, next[ev.Who.ID])
			}
			next[ev.Who.ID] = ev.Who.PID + 1
			total++
			step.Changes = append(step.Changes, engine.Transition{Session: engine.Session{ID: "s1", PID: total}})
		}
		return step
	}
	l := NewLoop(e)
	runs(t, l)
	r := l.Feed.Read() // reads nothing
	defer r.Close()
	if _, err := l.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	first, before := l.Feed.Snapshot().Seq, heap()
	start := time.Now()
	var wg sync.WaitGroup
	for s := range senders {
		wg.Go(func() {
			for i := range each {
				l.Emit(engine.Event{Who: engine.Who{ID: strconv.Itoa(s), PID: i}, Fact: engine.Started{}})
			}
		})
	}
	wg.Wait()
	if err := l.Do(t.Context(), func() {}); err != nil {
		t.Fatal(err)
	}
	if total != senders*each {
		t.Errorf("got %d events, want %d", total, senders*each)
	}
	if most > mostAtATime+1 {
		t.Errorf("got %d events in one pass, want %d at most", most, mostAtATime)
	}
	if got := l.Feed.Snapshot().Seq - first; got != senders*each {
		t.Errorf("seq grew by %d, want %d", got, senders*each)
	}
	took := time.Since(start)
	grown := heap() - before
	if most := 8 << 20; grown > most {
		t.Errorf("%d bytes more are held after the flood, want at most %d", grown, most)
	}
	t.Logf("%.0f events per second, at most %d in one pass, %d bytes more held", float64(total)/took.Seconds(), most, grown)
}

// heap is what is in use of it.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func TestStoppedLoopTakesNothing(t *testing.T) {
	l := NewLoop(&script{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	for range 2 * queued {
		l.Emit(event("a")) // must not block
	}
	for len(l.in) < queued {
		l.in <- job{}
	}
	if err := l.Do(t.Context(), func() {}); !errors.Is(err, ErrStopped) {
		t.Errorf("got %v, want %v", err, ErrStopped)
	}
}

// TestRealEngine checks that the real one fits.
func TestRealEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLoop(engine.New(engine.DefaultLimits()))
		l.Ask = func(q engine.Question) {
			if q.Ask == engine.AskProcess {
				go l.Emit(engine.Event{By: engine.Process, Who: q.Who, Fact: engine.Alive{Yes: true}})
			}
		}
		runs(t, l)
		who := engine.Who{Tool: "claude", ID: "3f0c", PID: 41, Ticks: 1, TTY: "/dev/pts/1", Dir: "/home/dev/app"}
		for _, fact := range []engine.Fact{engine.Started{}, engine.Prompted{Human: true}, engine.Finished{}} {
			l.Emit(engine.Event{By: engine.Hook, Who: who, Fact: fact})
			time.Sleep(time.Second)
		}
		synctest.Wait()
		s, err := l.Look(t.Context())
		if err != nil || len(s.Sessions) != 1 || s.Seq == 0 {
			t.Fatalf("got %+v, %v, want one session", s, err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		passes := 0
		l.Emit()
		synctest.Wait()
		if err := l.Do(t.Context(), func() {
			l.Ticks = []Tick{func(time.Time, engine.Step, engine.Snapshot) time.Time { passes++; return time.Time{} }}
		}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(240 * time.Hour)
		synctest.Wait()
		if passes != 0 {
			t.Errorf("the engine woke %d times in ten idle days", passes)
		}
	})
}

// TestFirst checks that what an earlier run told comes before anything else, and is not
// heard as if it were new.
func TestFirst(t *testing.T) {
	l := NewLoop(newRoster())
	l.First = []engine.Event{{Who: engine.Who{ID: "s1"}, Fact: engine.Prompted{}}}
	var heard []string
	l.Heard = func(_ time.Time, events []engine.Event) {
		for _, ev := range events {
			heard = append(heard, ev.Who.ID)
		}
	}
	tell(l, "s2", "", engine.Finished{})
	r := l.Feed.Read()
	defer r.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { l.Run(ctx) })
	s, err := l.Look(ctx)
	if err != nil || len(s.Sessions) != 2 || s.Sessions[0].ID != "s1" {
		t.Errorf("%v: got %+v, want s1 and s2", err, s.Sessions)
	}
	cancel()
	wg.Wait()
	if len(heard) != 1 || heard[0] != "s2" {
		t.Errorf("heard %v, want s2", heard)
	}
}
