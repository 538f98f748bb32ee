package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"deskbell/engine"
)

// streamer is a deskbell whose stream a test writes. Each connection is told in
// asked by the id it wants to go on after.
type streamer struct {
	daemon
	asked  chan string
	frames chan string
}

func newStreamer() *streamer {
	s := &streamer{asked: make(chan string, 10), frames: make(chan string)}
	s.HandleFunc("GET /sessions/live/stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		s.asked <- r.Header.Get("Last-Event-ID")
		for {
			w.(http.Flusher).Flush()
			select {
			case f := <-s.frames:
				io.WriteString(w, f)
			case <-r.Context().Done():
				return
			}
		}
	})
	s.start()
	return s
}

func (s *streamer) send(seq int, name string, v any) {
	b, _ := json.Marshal(v)
	s.frames <- fmt.Sprintf(": a comment\nid: %d\nevent: %s\ndata: %s\n\n", seq, name, b)
}

// tape is an output that remembers each write.
type tape struct {
	mu     sync.Mutex
	writes []string // guarded by mu
}

func (t *tape) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.writes = append(t.writes, string(b))
	return len(b), nil
}

// taken returns what was written since the last call.
func (t *tape) taken() []string {
	synctest.Wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.writes
	t.writes = nil
	return w
}

// follower is a command that follows a stream, in its own time.
type follower struct {
	t      *testing.T
	cancel context.CancelFunc
	wg     sync.WaitGroup
	out    tape
	err    tape
	code   int
	d      *daemon
	mu     sync.Mutex // guards d
}

func (f *follower) use(d *daemon) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.d = d
}

func follow(t *testing.T, d *daemon, s *screen, args ...string) *follower {
	f := &follower{t: t, d: d}
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel = cancel
	in := Env{Stdout: &f.out, Stderr: &f.err, Context: ctx, screen: s, Getenv: func(string) string { return "" }}
	in.connect = func(ctx context.Context) (net.Conn, error) {
		f.mu.Lock()
		d := f.d
		f.mu.Unlock()
		return d.connect(ctx)
	}
	f.wg.Go(func() { f.code, _ = Run(args, in) })
	return f
}

func (f *follower) end() {
	f.cancel()
	f.wg.Wait()
	if f.code != ok {
		f.t.Errorf("exit status %d after an interrupt, want %d", f.code, ok)
	}
}

func snapshot(seq uint64, sessions ...engine.Session) engine.Snapshot {
	return engine.Snapshot{Seq: seq, At: time.Now().UTC(), Sessions: sessions, Counts: engine.Count(sessions)}
}

func TestWatchJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreamer()
		f := follow(t, &s.daemon, nil, "status", "--watch", "--json", "--all")
		one := engine.Session{ID: "s1", Title: "a <b>", Status: engine.Working}
		s.send(7, "snapshot", map[string]any{"seq": 7, "sessions": []int{}})
		if got := f.out.taken(); len(got) != 1 || got[0] != `{"event":"snapshot","seq":7,"sessions":[]}`+"\n" {
			t.Errorf("got %q, want one write of one line", got)
		}
		s.send(8, "change", change{Seq: 8, From: engine.Idle, Session: one})
		s.send(9, "gone", gone{Seq: 9, ID: "s1"})
		got := f.out.taken()
		if len(got) != 2 || !strings.HasPrefix(got[0], `{"event":"change","seq":8,"at":`) || !strings.HasPrefix(got[1], `{"event":"gone","seq":9,"at":`) {
			t.Errorf("got %q, want a change and gone, each in a write of its own", got)
		}
		for _, line := range got {
			var fields map[string]any
			if err := json.Unmarshal([]byte(line), &fields); err != nil || strings.Count(line, "\n") != 1 {
				t.Errorf("%q is not one JSON object a line: %v", line, err)
			}
		}
		f.end()
		s.kill()
	})
}

// TestWatchFormat checks that a line is printed when it is another one, and only then.
func TestWatchFormat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreamer()
		f := follow(t, &s.daemon, nil, "status", "--watch", "--format", "{{.Counts.Working}} working, {{len .Muted}} muted")
		one := engine.Session{ID: "s1", Title: "a", Status: engine.Working}
		s.send(7, "snapshot", snapshot(7))
		s.send(8, "change", change{Seq: 8, Session: one})
		one.Title = "b"
		s.send(9, "change", change{Seq: 9, From: engine.Working, Session: one})
		hushed := snapshot(10, one)
		hushed.Muted = []engine.Hush{{}}
		s.send(10, "snapshot", hushed)
		s.send(11, "gone", gone{Seq: 11, ID: "s1"})
		want := "0 working, 0 muted\n|1 working, 0 muted\n|1 working, 1 muted\n|0 working, 1 muted\n"
		if got := strings.Join(f.out.taken(), "|"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		f.end()
		s.kill()
	})
}

// TestWatchOutlivesDaemon checks that it comes back by itself, asks for what it
// missed, gets less impatient, and says once that deskbell is away.
func TestWatchOutlivesDaemon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreamer()
		f := follow(t, &s.daemon, nil, "status", "--watch", "--json")
		s.send(7, "snapshot", snapshot(7))
		if id := <-s.asked; id != "" {
			t.Errorf("at first it asks to go on after %q", id)
		}
		f.out.taken()
		s.kill()
		time.Sleep(time.Hour)
		if got := f.err.taken(); len(got) != 1 || !strings.Contains(got[0], "waiting for it to come back") {
			t.Errorf("in an hour without deskbell it says %q, want one line", got)
		}
		again := newStreamer()
		f.use(&again.daemon)
		start := time.Now()
		again.send(1, "snapshot", snapshot(1))
		if took := time.Since(start); took > late {
			t.Errorf("it came back after %v, want at most %v", took, late)
		}
		if id := <-again.asked; id != "7" {
			t.Errorf("it asks to go on after %q, want 7", id)
		}
		if got := f.out.taken(); len(got) != 1 || !strings.HasPrefix(got[0], `{"event":"snapshot","seq":1,`) {
			t.Errorf("got %q, want the new snapshot", got)
		}
		f.end()
		again.kill()
	})
}

func TestWatchShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreamer()
		f := follow(t, &s.daemon, nil, "status", "--watch", "--json", "--shared")
		own := engine.Session{ID: "s1", Title: "secret"}
		open := engine.Session{ID: "s2", Prefs: engine.Prefs{Shared: true, Label: &engine.Label{Name: "secret"}}}
		s.send(1, "snapshot", snapshot(1, own, open))
		s.send(2, "change", change{Seq: 2, Session: own})
		s.send(3, "gone", gone{Seq: 3, ID: "s1"})
		s.send(4, "change", change{Seq: 4, Session: open})
		open.Shared, open.Title = false, "secret"
		s.send(5, "change", change{Seq: 5, Session: open})
		s.send(6, "change", change{Seq: 6, Session: open})
		s.send(7, "gone", gone{Seq: 7, ID: "s2"})
		got := strings.Join(f.out.taken(), "")
		var events []string
		for line := range strings.Lines(got) {
			var e struct {
				Event string
				Seq   int
			}
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Error(err)
			}
			events = append(events, fmt.Sprint(e.Event, e.Seq))
		}
		if want := "[snapshot1 change4 gone5]"; fmt.Sprint(events) != want || strings.Contains(got, "secret") {
			t.Errorf("got %v, want %s, in\n%s", events, want, got)
		}
		f.end()
		s.kill()
	})
}

// TestWatchDraws checks what is put on a terminal, and when.
func TestWatchDraws(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreamer()
		f := follow(t, &s.daemon, &screen{terminal: true, width: 60, height: 5}, "status", "--watch")
		one := engine.Session{ID: "s1", Project: "app", Tool: "claude", Status: engine.Working, Since: time.Now()}
		s.send(1, "snapshot", snapshot(1, one))
		got := f.out.taken()
		if len(got) != 2 || !strings.HasPrefix(got[0], "\x1b[?1049h\x1b[?25l") {
			t.Fatalf("got %q, want another screen and a drawing", got)
		}
		if want := "\x1b[?2026h\x1b[H  ◐ Working  app  claude  0s\x1b[K\r\n  1 working\x1b[K\x1b[J\x1b[?2026l"; got[1] != want {
			t.Errorf("got  %q\nwant %q", got[1], want)
		}
		time.Sleep(59 * time.Second)
		if got := f.out.taken(); len(got) != 59 || !strings.Contains(got[58], " 59s") {
			t.Errorf("in 59 s it was drawn %d times, want each second", len(got))
		}
		time.Sleep(59 * time.Minute)
		if got := f.out.taken(); len(got) != 59 && len(got) != 60 {
			t.Errorf("in the hour it was drawn %d times, want each minute", len(got))
		}
		var more []engine.Session
		for i := range 9 {
			more = append(more, engine.Session{ID: engine.ID(fmt.Sprint("s", i+2)), Project: fmt.Sprint("p", i), Status: engine.Idle, Since: time.Now()})
		}
		s.send(2, "snapshot", snapshot(2, more...))
		f.out.taken()
		s.send(3, "change", change{Seq: 3, From: engine.Idle, Session: engine.Session{ID: "s5", Project: "p3", Status: engine.Approval, NeedsYou: true, Since: time.Now()}})
		got = f.out.taken()
		lines := strings.Split(got[len(got)-1], "\r\n")
		if len(lines) != 5 || !strings.Contains(lines[0], "▲ Approve  p3") || !strings.Contains(lines[3], "… 6 more") || !strings.Contains(lines[4], "1 needs you · 8 idle") {
			t.Errorf("got %q, want the dialog on top and what does not fit told", lines)
		}
		s.kill()
		if got := strings.Join(f.out.taken(), ""); !strings.Contains(got, "deskbell is away") {
			t.Errorf("got %q, want to be told that deskbell is away", got)
		}
		again := newStreamer()
		f.use(&again.daemon)
		time.Sleep(late)
		if got := f.out.taken(); strings.Contains(got[len(got)-1], "away") || !strings.Contains(got[len(got)-1], "1 needs you") {
			t.Errorf("got %q, want the state as it was, before any news", got[len(got)-1])
		}
		again.kill()
		f.end()
		if got := f.out.taken(); got[len(got)-1] != "\x1b[?25h\x1b[?1049l" {
			t.Errorf("at the end got %q, want the old screen back", got)
		}
	})
}

// TestWatchIntoFile checks that a file gets each state once, and no drawing.
func TestWatchIntoFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreamer()
		f := follow(t, &s.daemon, nil, "status", "--watch")
		one := engine.Session{ID: "s1", Project: "app", Status: engine.Working, Since: time.Now()}
		s.send(1, "snapshot", snapshot(1, one))
		time.Sleep(10 * time.Minute)
		one.Status = engine.Ended
		s.send(2, "change", change{Seq: 2, From: engine.Working, Session: one})
		if got := strings.Join(f.out.taken(), ""); got != "  ◐ Working  app  0s\n  1 working\n\n  no sessions\n\n" {
			t.Errorf("got %q", got)
		}
		f.end()
		s.kill()
	})
}

// broken is an output nobody reads any more.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWatchEndsWithItsOutput(t *testing.T) {
	for _, args := range [][]string{{"status", "--watch"}, {"status", "--watch", "--json"}} {
		synctest.Test(t, func(t *testing.T) {
			s := newStreamer()
			var errs tape
			var wg sync.WaitGroup
			var code int
			wg.Go(func() {
				code, _ = Run(args, Env{Stdout: broken{}, Stderr: &errs, Getenv: func(string) string { return "" }, connect: s.connect})
			})
			s.send(1, "snapshot", snapshot(1))
			wg.Wait()
			if code != failed || len(errs.taken()) != 1 {
				t.Errorf("%v: got exit status %d, want %d", args, code, failed)
			}
			s.kill()
		})
	}
}

func TestFit(t *testing.T) {
	lines := []string{"1", "2", "3", "4", "sum"}
	for height, want := range map[int]string{
		10: "[1 2 3 4 sum]", 5: "[1 2 3 4 sum]", 4: "[1 2   … 2 more sum]", 3: "[1   … 3 more sum]", 2: "[4 sum]", 1: "[sum]",
	} {
		if got := fmt.Sprint(fit(append([]string{}, lines...), height)); got != want {
			t.Errorf("on %d lines: got %s, want %s", height, got, want)
		}
	}
}
