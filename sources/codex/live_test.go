package codex

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"

	"github.com/coder/websocket"
)

const (
	title = "01a22b4e-9999-7881-a8f6-8e99352d24c1" // the thread that makes a title
	other = "01a22b54-e6d4-7700-8be2-4f5638393a39"
)

// threads is what thread/read says of each, as 0.171 does.
var threads = map[string]string{
	id:    `{"id":"` + id + `","sessionId":"` + id + `","ephemeral":false,"cwd":"/home/dev/proj","source":"vscode","originator":"codex-tui","parentThreadId":null,"status":{"type":"idle"}}`,
	title: `{"id":"` + title + `","ephemeral":true,"cwd":"/home/dev/proj","source":"vscode","originator":"codex-tui","status":{"type":"active","activeFlags":[]}}`,
	child: `{"id":"` + child + `","sessionId":"` + id + `","parentThreadId":"` + id + `","ephemeral":false,"cwd":"/home/dev/proj","source":{"subagent":{"thread_spawn":{}}},"status":{"type":"idle"}}`,
	other: `{"id":"` + other + `","sessionId":"` + other + `","ephemeral":false,"name":"Fix it","cwd":"/w","source":"cli","status":{"type":"active","activeFlags":[]}}`,
}

// server is an app-server: a real WebSocket on a real socket.
type server struct {
	t     *testing.T
	home  string
	http  *http.Server
	mu    sync.Mutex
	conns []*websocket.Conn // guarded by mu
	calls []string          // guarded by mu
}

// serve makes a home with a server that runs some threads.
func serve(t *testing.T, home string, loaded ...string) *server {
	t.Helper()
	short, err := os.MkdirTemp("", "cx") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(short) })
	l, err := net.Listen("unix", filepath.Join(short, "s"))
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(home, socket)
	_ = os.Remove(link) // of a server before
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(short, "s"), link); err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, home: home}
	s.http = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.converse(w, r, loaded) })}
	go s.http.Serve(l)
	t.Cleanup(s.stop)
	return s
}

func (s *server) converse(w http.ResponseWriter, r *http.Request, loaded []string) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	s.mu.Lock()
	s.conns = append(s.conns, c)
	s.mu.Unlock()
	for {
		_, text, err := c.Read(context.Background())
		if err != nil {
			return
		}
		var m struct {
			ID     int
			Method string
			Params struct{ ThreadID string }
		}
		if json.Unmarshal(text, &m) != nil {
			continue
		}
		s.mu.Lock()
		s.calls = append(s.calls, m.Method)
		s.mu.Unlock()
		switch m.Method {
		case "thread/loaded/list":
			list, _ := json.Marshal(loaded)
			s.say(fmt.Sprintf(`{"id":%d,"result":{"data":%s,"nextCursor":null}}`, m.ID, list))
		case "thread/read":
			s.say(fmt.Sprintf(`{"id":%d,"result":{"thread":%s}}`, m.ID, threads[m.Params.ThreadID]))
		default:
			if m.ID != 0 {
				s.say(fmt.Sprintf(`{"id":%d,"result":{}}`, m.ID))
			}
		}
	}
}

// say sends a message to everybody.
func (s *server) say(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		_ = c.Write(context.Background(), websocket.MessageText, []byte(text))
	}
}

func (s *server) changed(thread, status string) {
	s.say(`{"method":"thread/status/changed","params":{"threadId":"` + thread + `","status":` + status + `},"emittedAtMs":1}`)
}

func (s *server) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		_ = c.CloseNow()
	}
	_ = s.http.Close()
}

// ear is a running listener.
type ear struct {
	sources.Listener
	t      *testing.T
	events chan engine.Event
}

func listen(t *testing.T, home string, change func(*live)) *ear {
	t.Helper()
	l := newLive(home, func(int) (sources.Proc, bool) { return sources.Proc{}, false }).(*live)
	if change != nil {
		change(l)
	}
	e := &ear{Listener: l, t: t, events: make(chan engine.Event, 100)}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := l.Run(ctx, func(evs ...engine.Event) {
			for _, ev := range evs {
				e.events <- ev
			}
		}); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { cancel(); wg.Wait() })
	e.poke()
	return e
}

func (e *ear) poke() { e.Answer(engine.Question{}) }

// expect waits for events, in this order.
func (e *ear) expect(want ...string) {
	e.t.Helper()
	for _, w := range want {
		select {
		case ev := <-e.events:
			got := fmt.Sprintf("%.8s %s %s", ev.Who.ID, ev.Who.Dir, written(ev.Fact))
			if r, is := ev.Fact.(engine.Roster); is {
				got = fmt.Sprintf("serves %v", r.Serves)
				for _, m := range r.Rows {
					got += fmt.Sprintf(" %.13s %s:%v", m.ID, m.Dir, m.Level)
				}
			}
			if got != w {
				e.t.Fatalf("got  %s\nwant %s", got, w)
			}
		case <-time.After(5 * time.Second):
			e.t.Fatalf("never told %s", w)
		}
	}
}

// silent checks that nothing is told by what s says next.
func (e *ear) silent(s *server) {
	e.t.Helper()
	s.changed(id, `{"type":"idle"}`)
	e.expect("serves true 01a22b4e-484b /home/dev/proj:idle")
}

// TestLive hears a server: which of its threads are sessions, and where they stand.
func TestLive(t *testing.T) {
	s := serve(t, t.TempDir(), id, title, child)
	e := listen(t, s.home, nil)
	e.expect("01a22b4e /home/dev/proj Started{Apart:true}", "serves true 01a22b4e-484b /home/dev/proj:idle")
	for status, want := range map[string]string{ // as recorded: approve-appserver
		`{"type":"active","activeFlags":[]}`:                     "busy",
		`{"type":"active","activeFlags":["waitingOnApproval"]}`:  "asking",
		`{"type":"active","activeFlags":["waitingOnUserInput"]}`: "question",
		`{"type":"active","activeFlags":["later"]}`:              "busy",
		`{"type":"systemError"}`:                                 "failed",
	} {
		s.changed(id, status)
		e.expect("serves true 01a22b4e-484b /home/dev/proj:" + want)
	}
	// what no session is told of: its title, a word we do not know, half a message
	s.changed(title, `{"type":"active","activeFlags":["waitingOnApproval"]}`)
	s.changed(id, `{"type":"dreaming"}`)
	s.changed("../x", `{"type":"idle"}`)
	for _, text := range []string{`{`, `[]`, `{"method":"thread/status/changed"}`, `{"method":"thread/status/changed","params":7}`, `{"id":99,"result":{}}`} {
		s.say(text)
	}
	e.silent(s)
	// a sub-agent's dialog is its session's
	s.changed(child, `{"type":"active","activeFlags":["waitingOnApproval"]}`)
	e.expect("01a22b4e  Asked{Agent:" + child + "}")
	s.changed(child, `{"type":"active","activeFlags":[]}`)
	e.expect("01a22b4e  Answered{Agent:" + child + "}")
	// a thread that is new
	s.changed(other, `{"type":"active","activeFlags":["waitingOnApproval"]}`)
	e.expect("01a22b54 /w Started{Apart:true}", "01a22b54 /w Described{Title:Fix it}", "serves true 01a22b54-e6d4 /w:asking")
	s.changed(other, `{"type":"notLoaded"}`)
	e.expect("serves true 01a22b54-e6d4 /w:silent")
	s.say(`{"method":"thread/closed","params":{"threadId":"` + other + `"}}`)
	e.silent(s)
	for _, method := range s.calls {
		if method != "initialize" && method != "initialized" && method != "thread/loaded/list" && method != "thread/read" {
			t.Errorf("the server was asked for %s: it is only read", method)
		}
	}
}

// TestLiveComesAndGoes checks that a server that goes is told of, and that it is only
// called again when something is asked, slower each time.
func TestLiveComesAndGoes(t *testing.T) {
	home := t.TempDir()
	var mu sync.Mutex
	now := time.Unix(1e9, 0)
	later := func(d time.Duration) { mu.Lock(); defer mu.Unlock(); now = now.Add(d) }
	e := listen(t, home, func(l *live) { l.now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now } }) // there is none
	s := serve(t, home, id)
	e.poke()
	e.expect("01a22b4e /home/dev/proj Started{Apart:true}", "serves true 01a22b4e-484b /home/dev/proj:idle")
	s.stop()
	e.expect("serves true 01a22b4e-484b :silent")
	s = serve(t, home, other)
	e.poke() // too soon
	later(pause)
	e.poke()
	e.expect("01a22b54 /w Started{Apart:true}", "01a22b54 /w Described{Title:Fix it}", "serves true 01a22b54-e6d4 /w:busy")
	if n := strings.Count(strings.Join(s.calls, " "), "initialize "); n != 1 {
		t.Errorf("it was called %d times", n)
	}
}

// TestBegan checks that an id tells when its thread was begun.
func TestIDTellsWhen(t *testing.T) {
	if got := began(id).UTC().Format(time.RFC3339Nano); got != "2026-11-30T07:14:40.331Z" {
		t.Errorf("got %s", got)
	}
	if got := began("0c4e7b52-6a1d-4f38-9b0e-5d2f8a7c1e93"); !got.IsZero() {
		t.Errorf("version 4: got %v", got)
	}
}

func FuzzServer(f *testing.F) {
	for _, text := range threads {
		f.Add([]byte(`{"id":2,"result":{"thread":` + text + `}}`))
	}
	f.Add([]byte(`{"method":"thread/status/changed","params":{"threadId":"` + id + `","status":{"type":"active","activeFlags":["waitingOnApproval"]}}}`))
	f.Add([]byte(`{"id":1,"result":{"data":["` + id + `"]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var m message
		if json.Unmarshal(text, &m) != nil {
			return
		}
		l := newLive("/h", nil).(*live)
		l.request = func(string, any) (int, error) { return 3, nil }
		l.threads, l.asked = map[string]*served{id: {}, other: {ours: true}, child: {parent: id}}, map[int]string{1: "", 2: id}
		l.emit = func(evs ...engine.Event) {
			for _, ev := range evs {
				if ev.Who.Tool != tool || ev.Fact == nil || ev.Who.ID != "" && !form.MatchString(ev.Who.ID) {
					t.Errorf("%+v", ev)
				}
			}
		}
		l.hear(m)
	})
}
