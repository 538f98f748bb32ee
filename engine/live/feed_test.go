package live

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
)

// publish adds n changes of the session s1, whose PID counts them.
func publish(f *Feed, from, n int) {
	for i := from; i < from+n; i++ {
		s := engine.Session{ID: "s1", PID: i}
		f.Publish(time.Time{}, engine.Step{Changes: []engine.Transition{{Session: s}}}, engine.Snapshot{Sessions: []engine.Session{s}})
	}
}

// next is what a reader gets without waiting, as text: "snap 7" or "1 2 3".
func next(r *Reader) string {
	b, ok := r.take()
	if !ok {
		return ""
	}
	if b.Snapshot != nil {
		return fmt.Sprint("snap ", b.Snapshot.Seq)
	}
	s := ""
	for _, c := range b.Changes {
		s += fmt.Sprint(" ", c.Seq)
	}
	return s[1:]
}

func TestReaderGetsEachChange(t *testing.T) {
	f := NewFeed(100)
	r := f.Read()
	defer r.Close()
	if got := next(r); got != "" {
		t.Errorf("before there is a state: got %q", got)
	}
	publish(f, 1, 1)
	if got := next(r); got != "snap 101" {
		t.Errorf("at first: got %q, want the state", got)
	}
	publish(f, 2, 2)
	f.Publish(time.Time{}, engine.Step{Gone: []engine.ID{"s1"}}, engine.Snapshot{})
	if got := next(r); got != "102 103 104" {
		t.Errorf("got %q, want three changes", got)
	}
	if got := next(r); got != "" {
		t.Errorf("got %q, want nothing more", got)
	}
}

// TestSlowReader checks that one who sleeps is given the newest state and no queue.
func TestSlowReader(t *testing.T) {
	f := NewFeed(0)
	r := f.Read()
	defer r.Close()
	publish(f, 1, 1)
	next(r)
	publish(f, 2, 100_000)
	if got := next(r); got != "snap 100001" {
		t.Errorf("got %q, want the newest state", got)
	}
	publish(f, 100_002, 1)
	if got := next(r); got != "100002" {
		t.Errorf("got %q, want the change after it", got)
	}
	if len(f.ring) != kept {
		t.Errorf("%d changes are kept, want %d", len(f.ring), kept)
	}
}

func TestReadAfter(t *testing.T) {
	tests := []struct {
		name    string
		publish int
		after   uint64
		want    string
	}{
		{"nothing missed", 5, 1005, ""},
		{"two missed", 5, 1003, "1004 1005"},
		{"all there ever were", 3, 1000, "1001 1002 1003"},
		{"as many as are kept", kept + 1, 1001, "1002"},
		{"one more", kept + 2, 1001, fmt.Sprint("snap ", 1000+kept+2)},
		{"another run's", 5, 7, "snap 1005"},
		{"from the future", 5, 5000, "snap 1005"},
	}
	for _, test := range tests {
		f := NewFeed(1000)
		publish(f, 1, test.publish)
		r := f.ReadAfter(test.after)
		got := next(r)
		if test.want == "1002" { // the first of a full portion
			got = got[:4]
		}
		if got != test.want {
			t.Errorf("%s: after %d of %d changes got %q, want %q", test.name, test.after, test.publish, got, test.want)
		}
		r.Close()
		if len(f.readers) != 0 {
			t.Errorf("%s: the feed has %d readers after the last has gone", test.name, len(f.readers))
		}
	}
}

func TestNewestSkips(t *testing.T) {
	f := NewFeed(0)
	r := f.Read()
	defer r.Close()
	publish(f, 1, 10)
	s, err := r.Newest(t.Context())
	if err != nil || s.Seq != 10 {
		t.Errorf("got state %d, %v, want 10", s.Seq, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Newest(ctx); err == nil {
		t.Errorf("got the same state again, want to wait")
	}
}

// TestReadersAgree checks that snapshot and changes put together are the state,
// whenever a reader comes and however slowly it reads.
func TestReadersAgree(t *testing.T) {
	const last = 20_000
	f := NewFeed(0)
	publish(f, 1, 1)
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			r := f.Read()
			defer r.Close()
			var seq, pid int
			for seq < last {
				b, err := r.Next(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				if b.Snapshot != nil {
					seq, pid = int(b.Snapshot.Seq), b.Snapshot.Sessions[0].PID
				}
				for _, c := range b.Changes {
					if int(c.Seq) != seq+1 {
						t.Errorf("reader %d: change %d follows %d", n, c.Seq, seq)
					}
					seq, pid = int(c.Seq), c.Session.PID
				}
				if pid != seq {
					t.Errorf("reader %d: after change %d the state is of change %d", n, seq, pid)
					return
				}
			}
		})
	}
	publish(f, 2, last-1)
	wg.Wait()
}
