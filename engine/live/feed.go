package live

import (
	"context"
	"sync"
	"time"

	"deskbell/engine"
)

// Change is one event of the feed: a session that changed, or one that is gone.
type Change struct {
	Seq     uint64
	At      time.Time
	From    engine.Status
	Session *engine.Session // nil: the session called Gone is known no longer
	Gone    engine.ID
}

// Batch is what a reader has not seen yet: a snapshot, or else the changes since
// what it was given last.
type Batch struct {
	Snapshot *engine.Snapshot
	Changes  []Change
}

const (
	kept    = 512 // changes a reader may be behind before it is given a snapshot
	portion = 64  // changes in one Batch
)

// Feed keeps the newest state and the last changes, and tells readers about them.
// No reader has a queue: each has its place among the kept changes, and one that
// has fallen behind them is given the state instead.
type Feed struct {
	mu      sync.Mutex
	snap    engine.Snapshot      // guarded by mu; with ended sessions
	ready   bool                 // guarded by mu; snap has been set
	seq     uint64               // guarded by mu; of the last change
	ring    []Change             // guarded by mu; change n is at n % kept
	held    uint64               // guarded by mu; how many of them the ring has
	readers map[*Reader]struct{} // guarded by mu
}

// NewFeed returns an empty feed whose first change has the number after seq.
func NewFeed(seq uint64) *Feed {
	return &Feed{seq: seq, ring: make([]Change, kept), readers: map[*Reader]struct{}{}}
}

// Publish adds the changes of step, which led to the state s, and returns s with
// its number.
func (f *Feed) Publish(now time.Time, step engine.Step, s engine.Snapshot) engine.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range step.Changes {
		f.addLocked(Change{At: now, From: t.From, Session: &t.Session})
	}
	for _, id := range step.Gone {
		f.addLocked(Change{At: now, Gone: id})
	}
	if step.Hushed { // no change tells that: every reader is given the state
		f.seq++
		f.held = 0
	}
	s.Seq = f.seq
	f.snap, f.ready = s, true
	for r := range f.readers {
		r.wake()
	}
	return s
}

func (f *Feed) addLocked(c Change) {
	f.seq++
	c.Seq = f.seq
	f.ring[f.seq%kept] = c
	f.held = min(f.held+1, kept)
}

// freshen replaces the state by s, which differs by no change, and returns it with
// its number.
func (f *Feed) freshen(s engine.Snapshot) engine.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.Seq = f.seq
	f.snap, f.ready = s, true
	return s
}

// Snapshot returns the newest state, with ended sessions.
func (f *Feed) Snapshot() engine.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.snap
}

// Session returns the newest state of a session, or an error that says how to find one.
func (f *Feed) Session(id engine.ID) (engine.Session, error) {
	for _, s := range f.Snapshot().Sessions {
		if s.ID == id {
			return s, nil
		}
	}
	return engine.Session{}, unknown(id)
}

// Reader follows a feed. It belongs to one goroutine, which closes it.
type Reader struct {
	feed  *Feed
	bell  chan struct{} // holds one: there is something new
	at    uint64        // the last change it was given
	begun bool          // at means something
}

// Read returns a reader that begins with the newest state.
func (f *Feed) Read() *Reader { return f.read(0, false) }

// ReadAfter returns a reader that begins after change seq, or with the newest
// state where that is not to be had any more.
func (f *Feed) ReadAfter(seq uint64) *Reader { return f.read(seq, true) }

func (f *Feed) read(seq uint64, begun bool) *Reader {
	r := &Reader{feed: f, bell: make(chan struct{}, 1), at: seq, begun: begun}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.readers[r] = struct{}{}
	return r
}

// Each calls f at the newest state, and at each that is newer than when it was called,
// until ctx is done.
func (f *Feed) Each(ctx context.Context, see func()) {
	r := f.Read()
	defer r.Close()
	for {
		if _, err := r.Newest(ctx); err != nil {
			return
		}
		see()
	}
}

// Close ends the reader.
func (r *Reader) Close() {
	r.feed.mu.Lock()
	defer r.feed.mu.Unlock()
	delete(r.feed.readers, r)
}

// Next waits for something new and returns it.
func (r *Reader) Next(ctx context.Context) (Batch, error) {
	for {
		if b, ok := r.take(); ok {
			return b, nil
		}
		if err := r.wait(ctx); err != nil {
			return Batch{}, err
		}
	}
}

// Newest waits for a state that is newer than the last one it returned, and skips
// all that lie between. It is for views, which show the state and not its history.
func (r *Reader) Newest(ctx context.Context) (engine.Snapshot, error) {
	for {
		if s, ok := r.skip(); ok {
			return s, nil
		}
		if err := r.wait(ctx); err != nil {
			return engine.Snapshot{}, err
		}
	}
}

func (r *Reader) wake() {
	select {
	case r.bell <- struct{}{}:
	default:
	}
}

func (r *Reader) wait(ctx context.Context) error {
	select {
	case <-r.bell:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (r *Reader) skip() (engine.Snapshot, bool) {
	f := r.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ready || r.begun && r.at == f.seq {
		return engine.Snapshot{}, false
	}
	r.begun, r.at = true, f.seq
	return f.snap, true
}

func (r *Reader) take() (Batch, bool) {
	f := r.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case !f.ready || r.begun && r.at == f.seq:
		return Batch{}, false
	case !r.begun || r.at > f.seq || f.seq-r.at > f.held:
		s := f.snap
		r.begun, r.at = true, f.seq
		return Batch{Snapshot: &s}, true
	}
	n := min(f.seq-r.at, portion)
	b := Batch{Changes: make([]Change, 0, n)}
	for range n {
		r.at++
		b.Changes = append(b.Changes, f.ring[r.at%kept])
	}
	return b, true
}
