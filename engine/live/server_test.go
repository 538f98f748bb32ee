package live

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"deskbell/engine"
)

// sockets returns a folder whose path is short enough for a socket.
func sockets(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "bell")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// served is a running server and a client of it.
type served struct {
	*Server
	path   string
	client *http.Client
}

func dialer(path string) func(ctx context.Context, _, _ string) (net.Conn, error) {
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}
}

func serve(t *testing.T, s *Server) served {
	t.Helper()
	if s.Loop == nil {
		s.Loop = NewLoop(newRoster())
	}
	dir := sockets(t)
	in, err := Claim(dir, SocketPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { s.Loop.Run(ctx) })
	wg.Go(func() {
		if err := s.Serve(ctx, in); err != nil {
			t.Error(err)
		}
	})
	transport := &http.Transport{DialContext: dialer(SocketPath(dir))}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		cancel()
		wg.Wait()
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	})
	return served{s, SocketPath(dir), &http.Client{Transport: transport}}
}

func (s served) do(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, "http://deskbell"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got := answer.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("%s %s: got content type %q, want JSON", method, path, got)
	}
	return answer.StatusCode, strings.TrimSpace(string(b))
}

// ids are the sessions of a snapshot.
func ids(t *testing.T, body string) string {
	t.Helper()
	var s engine.Snapshot
	if err := json.Unmarshal([]byte(body), &s); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	out := ""
	for _, one := range s.Sessions {
		out += " " + string(one.ID)
	}
	return strings.TrimSpace(out)
}

func TestReads(t *testing.T) {
	l := NewLoop(newRoster())
	s := serve(t, &Server{
		Loop: l,
		Why:  func(id engine.ID) (any, bool) { return map[string]any{"session": id}, id == "s1" },
		Refresh: func(context.Context) error {
			tell(l, "s4", "found", engine.Started{})
			return nil
		},
		Routes: map[string]Answer{"GET /sessions/{id}/runs": func(r *http.Request) (any, error) { return r.PathValue("id"), nil }},
	})
	_, body := s.do(t, "GET", "/sessions/live", "")
	if !strings.Contains(body, `"sessions":[]`) {
		t.Errorf("of no sessions got %s, want an empty list", body)
	}
	tell(s.Loop, "s1", "a <b>", engine.Started{})
	tell(s.Loop, "s2", "b", engine.Alive{})
	if _, err := l.Look(t.Context()); err != nil { // so that s3 ends later
		t.Fatal(err)
	}
	tell(s.Loop, "s3", "c", engine.Alive{})
	for _, test := range []struct{ path, want string }{
		{"/sessions/live", "s1"},
		{"/sessions/live?all=1", "s1 s2 s3"},
		{"/sessions/live?all=0", "s1"},
		{"/history", "s3 s2"},
		{"/history?limit=1", "s3"},
		{"/history?limit=99999", "s3 s2"},
	} {
		status, body := s.do(t, "GET", test.path, "")
		if got := ids(t, body); status != 200 || got != test.want {
			t.Errorf("GET %s: got %d, sessions %q, want %q", test.path, status, got, test.want)
		}
	}
	if _, body := s.do(t, "GET", "/sessions/live", ""); !strings.Contains(body, `"title":"a <b>"`) {
		t.Errorf("got %s, want the title as it is", body)
	}
	if status, body := s.do(t, "POST", "/sessions/live/refresh", ""); status != 200 || ids(t, body) != "s1 s4" {
		t.Errorf("after a full look got %d %s, want what it found", status, body)
	}
	if status, body := s.do(t, "GET", "/sessions/s1/why", ""); status != 200 || body != `{"session":"s1"}` {
		t.Errorf("why: got %d %s", status, body)
	}
	if status, body := s.do(t, "GET", "/sessions/s1/runs", ""); status != 200 || body != `"s1"` {
		t.Errorf("a further route: got %d %s", status, body)
	}
}

func TestActs(t *testing.T) {
	s := serve(t, &Server{Act: func(id, act string, body json.RawMessage) (any, error) {
		switch act {
		case "pin":
			return nil, nil
		case "open":
			return map[string]string{"where": "kitty"}, nil
		case "send":
			return nil, &Refusal{Status: http.StatusForbidden, Says: "steering is off: set [steering] enabled"}
		case "sleep":
			return nil, errors.New("it is pinned: unpin it first")
		case "new":
			return engine.Session{ID: "s9"}, nil
		case "mute":
			return map[string]string{"got": id + string(body)}, nil
		}
		return nil, fmt.Errorf("%q: %w", act, ErrUnknownAct)
	}})
	tell(s.Loop, "s1", "a", engine.Started{})
	if _, err := s.Loop.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path, body string
		status     int
		want       string // in the answer
	}{
		{"/sessions/s1/pin", `{"on": true}`, 200, `{"ok":true}`},
		{"/sessions/s1/pin", "", 200, `{"ok":true}`},
		{"/sessions/s1/open", "", 200, `{"ok":true,"where":"kitty"}`},
		{"/sessions/s1/send", `{"text": "x"}`, 403, `{"error":"steering is off: set [steering] enabled"}`},
		{"/sessions/s1/sleep", "", 409, `{"error":"it is pinned: unpin it first"}`},
		{"/sessions/s1/fly", "", 404, "knows no act \\\"fly\\\""},
		{"/sessions/s2/pin", "", 404, "no session is called \\\"s2\\\""},
		{"/sessions/s1/pin", "[1]", 400, "not a JSON object"},
		{"/sessions/s1/pin", "null", 400, "not a JSON object"},
		{"/sessions/s1/pin", `{"on":`, 400, "not a JSON object"},
		{"/sessions/s1/pin", `{"x":"` + strings.Repeat("x", bodyMost) + `"}`, 413, "send less"},
		{"/sessions", `{"tool":"claude","dir":"/x"}`, 200, `{"id":"s9"`},
		{"/mute", `{"scope":"all"}`, 200, `{"got":"{\"scope\":\"all\"}","ok":true}`},
	} {
		status, body := s.do(t, "POST", test.path, test.body)
		if status != test.status || !strings.Contains(body, test.want) {
			t.Errorf("POST %s %.40s: got %d %.200s, want %d %s", test.path, test.body, status, body, test.status, test.want)
		}
	}
}

// TestCannot checks the answers of a server that lacks a part.
func TestCannot(t *testing.T) {
	s := serve(t, &Server{})
	tell(s.Loop, "s1", "a", engine.Started{})
	if _, err := s.Loop.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/nothing", 404}, {"GET", "/", 404}, {"DELETE", "/sessions/live", 404}, {"GET", "/history?limit=x", 400},
		{"GET", "/history?limit=0", 400}, {"POST", "/sessions/s1/pin", 404}, {"POST", "/sessions/live/refresh", 501},
		{"GET", "/sessions/s1/why", 501}, {"POST", "/sessions", 404}, {"PUT", "/sessions/s1/pin", 404},
	} {
		status, body := s.do(t, test.method, test.path, "")
		var says map[string]string
		if err := json.Unmarshal([]byte(body), &says); err != nil || says["error"] == "" || len(says) != 1 || status != test.status {
			t.Errorf("%s %s: got %d %s, want %d and a sentence", test.method, test.path, status, body, test.status)
		}
	}
}

// frames reads a stream event by event, as "name id data".
type frames struct {
	*bufio.Reader
	io.Closer
}

func (s served) stream(t *testing.T, last string) frames {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", "http://deskbell/sessions/live/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if got := answer.Header.Get("Content-Type"); answer.StatusCode != 200 || got != "text/event-stream" {
		t.Fatalf("got %d, %s", answer.StatusCode, got)
	}
	return frames{bufio.NewReader(answer.Body), answer.Body}
}

func (f frames) next(t *testing.T) (name, id string, data map[string]json.RawMessage) {
	t.Helper()
	for {
		line, err := f.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch field {
		case "event":
			name = value
		case "id":
			id = value
		case "data":
			if err := json.Unmarshal([]byte(value), &data); err != nil {
				t.Fatal(err)
			}
		case "":
			return name, id, data
		}
	}
}

func TestStream(t *testing.T) {
	s := serve(t, &Server{})
	tell(s.Loop, "s1", "a", engine.Started{})
	f := s.stream(t, "")
	defer f.Close()
	name, first, data := f.next(t)
	if name != "snapshot" || string(data["seq"]) != first || ids(t, `{"sessions":`+string(data["sessions"])+`}`) != "s1" {
		t.Errorf("got %s %s %s, want a snapshot with s1", name, first, data)
	}
	tell(s.Loop, "s1", "a", engine.Prompted{})
	name, second, data := f.next(t)
	if name != "change" || string(data["seq"]) != second || string(data["from"]) != `"idle"` || !strings.Contains(string(data["session"]), `"working"`) {
		t.Errorf("got %s %s %s, want a change from idle to working", name, second, data)
	}
	tell(s.Loop, "s1", "a", engine.Seen{})
	name, third, data := f.next(t)
	if name != "gone" || string(data["seq"]) != third || string(data["id"]) != `"s1"` {
		t.Errorf("got %s %s %s, want s1 to be gone", name, third, data)
	}

	again := s.stream(t, first)
	defer again.Close()
	for _, want := range []string{"change " + second, "gone " + third} {
		if name, id, _ := again.next(t); name+" "+id != want {
			t.Errorf("after %s got %s %s, want %s", first, name, id, want)
		}
	}
	other := s.stream(t, "42")
	defer other.Close()
	if name, id, _ := other.next(t); name != "snapshot" || id != third {
		t.Errorf("after the event of another run got %s %s, want a snapshot", name, id)
	}
}

// TestStuckClient checks that a client who reads nothing costs nobody anything, and
// finds the newest state when it reads again.
func TestStuckClient(t *testing.T) {
	s := serve(t, &Server{})
	f := s.stream(t, "")
	defer f.Close()
	const many = 20_000
	title := strings.Repeat("x", 100)
	for range many {
		tell(s.Loop, "s1", title, engine.Prompted{})
	}
	tell(s.Loop, "s1", "at last", engine.Finished{})
	want, err := s.Loop.Look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for {
		name, id, data := f.next(t)
		read++
		if id != fmt.Sprint(want.Seq) {
			continue
		}
		part := "session"
		if name == "snapshot" {
			part = "sessions"
		}
		if !strings.Contains(string(data[part]), "at last") {
			t.Errorf("got %s, want the newest state", data[part])
		}
		break
	}
	if read > many/2 {
		t.Errorf("read %d of %d events, want most of them left out", read, many)
	}
}

// TestCrowd checks that there is a limit to connections, that who is over it is
// told, and that there is room again when one leaves.
func TestCrowd(t *testing.T) {
	s := serve(t, &Server{})
	var inside []net.Conn
	for range crowd {
		c, err := net.Dial("unix", s.path)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		inside = append(inside, c)
	}
	status, body := s.do(t, "GET", "/sessions/live", "")
	if status != 503 || !strings.Contains(body, "close one") {
		t.Errorf("got %d %s, want to be turned away", status, body)
	}
	for range told {
		c, err := net.Dial("unix", s.path)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		inside = append(inside, c)
	}
	over, err := net.Dial("unix", s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer over.Close()
	if _, err := over.Read(make([]byte, 1)); err == nil {
		t.Error("one who is too many even to be told why was answered")
	}
	for _, c := range inside[:told+1] {
		c.Close()
	}
	for status != http.StatusOK { // refused or cut off until the server has seen them leave
		answer, err := s.client.Get("http://deskbell/sessions/live")
		if err != nil {
			continue
		}
		status = answer.StatusCode
		answer.Body.Close()
	}
}

// TestPastAnswers checks that of a session that is known no longer the journal answers.
func TestPastAnswers(t *testing.T) {
	s := serve(t, &Server{
		Loop: NewLoop(newRoster()),
		Why:  func(id engine.ID) (any, bool) { return map[string]any{"session": id}, id == "s1" },
		Past: func(_ context.Context, id string, said any) (any, bool) {
			if said != nil {
				said.(map[string]any)["history"] = []string{"now"}
				return said, true
			}
			return map[string]any{"session": id}, id == "s2"
		},
	})
	for id, want := range map[string]string{"s1": `200 {"history":["now"],"session":"s1"}`, "s2": `200 {"session":"s2"}`, "s3": `404 {"error":"no session is called \"s3\": ` + "`deskbell status --all`" + ` lists them"}`} {
		status, body := s.do(t, "GET", "/sessions/"+id+"/why", "")
		if got := fmt.Sprint(status, " ", strings.TrimSpace(body)); got != want {
			t.Errorf("%s: got %s, want %s", id, got, want)
		}
	}
}
