package live

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"deskbell/engine"
)

// read returns what a tap has, as lines of a record.
func read(t *testing.T, tap *Tap) (out []string) {
	t.Helper()
	lines, err := tap.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		text, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return out
}

func TestTap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &script{}
		l := NewLoop(e)
		runs(t, l)
		l.Emit(event("before"))
		tap, err := l.Tap(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		other, err := l.Tap(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		late := event("a")
		late.At = time.Now().Add(-500 * time.Millisecond)
		l.Emit(late, event("b"))
		l.Emit()
		synctest.Wait()
		want := `{"at":"2000-01-01T00:00:00Z","by":"clock"}
{"at":"2000-01-01T00:00:00.5Z","told":"2000-01-01T00:00:01Z","by":"hook","who":{"id":"a"},"fact":"started"}
{"at":"2000-01-01T00:00:01Z","by":"hook","who":{"id":"b"},"fact":"started"}`
		for _, each := range []*Tap{tap, other} {
			if got := strings.Join(read(t, each), "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		}
		other.Close()
		l.Emit(event("c"))
		synctest.Wait()
		if got := read(t, tap); len(got) != 1 {
			t.Errorf("got %q", got)
		}
		if len(l.taps) != 1 {
			t.Errorf("%d taps are on, want 1", len(l.taps))
		}
		tap.Close()
	})
}

// TestTapTellsOfSleep checks that a record says when nobody was awake for a deadline.
func TestTapTellsOfSleep(t *testing.T) {
	tap := &Tap{bell: make(chan struct{}, 1), done: make(chan struct{})}
	now := time.Date(2026, 12, 1, 7, 0, 0, 0, time.UTC)
	l := &Loop{taps: []*Tap{tap}, last: now.Add(-9 * time.Hour), due: now.Add(-8 * time.Hour)}
	l.record(now, []engine.Event{event("a")})
	l.due = now
	l.record(now, nil)
	want := `{"at":"2026-11-30T22:00:00Z","told":"2026-12-01T07:00:00Z","by":"clock"}
{"at":"2026-12-01T07:00:00Z","by":"hook","who":{"id":"a"},"fact":"started"}
{"at":"2026-12-01T07:00:00Z","by":"clock"}`
	if got := strings.Join(read(t, tap), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestStuckTap checks that nobody waits for a reader that does not read, and that its
// record ends.
func TestStuckTap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLoop(&script{})
		runs(t, l)
		tap, err := l.Tap(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		batch := make([]engine.Event, 1000)
		for range 2 * behind / len(batch) {
			l.Emit(batch...)
		}
		if err := l.Do(t.Context(), func() {}); err != nil {
			t.Fatal(err)
		}
		if len(l.taps) != 0 {
			t.Error("the tap is still on")
		}
		n := len(read(t, tap))
		if n > behind || n < behind-2*mostAtATime {
			t.Errorf("%d lines waited, want about %d", n, behind)
		}
		if _, err := tap.Next(t.Context()); !errors.Is(err, errBehind) {
			t.Errorf("got %v, want %v", err, errBehind)
		}
	})
}

func TestRecord(t *testing.T) {
	l := NewLoop(newRoster())
	s := serve(t, &Server{Loop: l, Retell: func() { tell(l, "s1", "retold", engine.Started{}) }})
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	r, err := http.NewRequestWithContext(ctx, "GET", "http://deskbell/record", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewReader(answer.Body)
	tell(l, "s2", "new", engine.Prompted{Human: true})
	for _, want := range []string{`"by":"clock"}`, `"fact":"started"}`, `"fact":"prompted","human":true}`} {
		if got, err := lines.ReadString('\n'); err != nil || !strings.HasSuffix(got, want+"\n") || !strings.HasPrefix(got, `{"at":`) {
			t.Errorf("got %q, %v, want %s", got, err, want)
		}
	}
}

// TestRecordIsForTheSocket checks that no other listener gives a record away.
func TestRecordIsForTheSocket(t *testing.T) {
	web := httptest.NewServer((&Server{Loop: NewLoop(newRoster())}).Handler())
	defer web.Close()
	answer, err := http.Get(web.URL + "/record")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("got %s", answer.Status)
	}
}
