package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMain has the goroutine of os/signal start before any test's own time does.
func TestMain(m *testing.M) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
	os.Exit(m.Run())
}

// golden compares got with the file of that name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s:\ngot\n%s\nwant\n%s", path, got, want)
	}
}

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// daemon is a running deskbell that says what a test has it say.
type daemon struct {
	http.ServeMux
	conns chan net.Conn
	done  chan struct{}
	wg    sync.WaitGroup
	web   http.Server
}

func (d *daemon) Accept() (net.Conn, error) {
	select {
	case c := <-d.conns:
		return c, nil
	case <-d.done:
		return nil, net.ErrClosed
	}
}

func (d *daemon) Close() error   { return nil }
func (d *daemon) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

// start has d answer. Its connections are pipes: no time passes in them.
func (d *daemon) start() {
	d.conns, d.done = make(chan net.Conn), make(chan struct{})
	d.web.Handler = d
	d.wg.Go(func() { d.web.Serve(d) })
}

// kill ends d and all its connections.
func (d *daemon) kill() {
	close(d.done)
	d.web.Close()
	d.wg.Wait()
}

// says has d answer a read with text.
func (d *daemon) says(path, text string) {
	d.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, text) })
}

func (d *daemon) connect(ctx context.Context) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case d.conns <- theirs:
		return ours, nil
	case <-d.done:
		return nil, os.ErrNotExist
	}
}

// outcome is what a command did.
type outcome struct {
	code     int
	handled  bool
	out, err string
}

// call runs a command against d, or none.
func call(d *daemon, s *screen, args ...string) outcome {
	var out, errs bytes.Buffer
	in := Env{Stdout: &out, Stderr: &errs, Version: "1.2.3", Now: func() time.Time { return noon }, screen: s,
		Getenv: func(string) string { return "" }, Socket: filepath.Join(os.TempDir(), "no such socket")}
	if d != nil {
		in.connect = d.connect
	}
	code, handled := Run(args, in)
	return outcome{code, handled, out.String(), errs.String()}
}

// several is a day at work: every status, and texts of every kind.
func several() engine.Snapshot {
	at := func(d time.Duration) time.Time { return noon.Add(-d) }
	const s, m, h = time.Second, time.Minute, time.Hour
	all := []engine.Session{
		{ID: "s1", Tool: "claude", SessionID: "3f0c9a", Title: "app #2: Write tests", Project: "app", RunsIn: "kitty", Since: at(12 * s),
			Status: engine.Approval, NeedsYou: true, Asks: "Bash: npm test", AsksOpen: 1, Memory: 700e6},
		{ID: "s2", Tool: "codex", Title: "Choose", Project: "shop", RunsIn: "tmux:2.1", Since: at(75 * s),
			Status: engine.Input, NeedsYou: true, Asks: "Which currency?", AsksBy: "Explore", AsksOpen: 3},
		{ID: "s3", Tool: "codex", Title: "Fix the login", Project: "api", RunsIn: "tmux:2.1", Since: at(3 * m),
			Status: engine.Waiting, NeedsYou: true, Memory: 400e6},
		{ID: "s4", Tool: "claude", Title: "api: Fix the logout", Project: "api", RunsIn: "tmux:2.2", Since: at(4 * m),
			Status: engine.Waiting, NeedsYou: true, Trouble: engine.RateLimit},
		{ID: "s5", Tool: "gemini", Title: "Übersetze 日本語のドキュメント 👩‍💻", Project: "web", Hosted: true, Since: at(8 * s),
			Status: engine.Approval, NeedsYou: true, Guess: true},
		{ID: "s6", Tool: "claude", Title: "Add dark mode", Project: "web", Hosted: true, Since: at(41 * s),
			Status: engine.Working, Agents: []engine.Agent{{ID: "a", Status: "running"}, {ID: "b", Status: "running"}, {ID: "c", Status: "done"}}, Shells: 1},
		{ID: "s7", Tool: "opencode", Title: "Evil \x1b[31mred\x1b[0m\n\u202etext", Project: "x", Peer: "box", RunsIn: "xterm", Since: at(2 * s), Status: engine.Prompting},
		{ID: "s8", Tool: "claude", Project: "new", Hosted: true, Since: at(0), Status: engine.Connecting},
		{ID: "s9", Tool: "claude", Title: "Speed up the build of everything there is to be built in this very large project", Project: "ci",
			RunsIn: "kitty", Since: at(5 * h), Status: engine.Idle, Unseen: true},
		{ID: "s10", Tool: "claude", Title: "docs", Project: "docs", Since: at(50 * h), Status: engine.Idle},
		{ID: "s11", Tool: "claude", Project: "infra", RunsIn: "kitty", Since: at(26 * h), Status: engine.Asleep, Asleep: true},
		{ID: "s12", Tool: "claude", Project: "old", RunsIn: "kitty", Since: at(72 * h), Status: engine.Ended},
	}
	return engine.Snapshot{Seq: 42, At: noon, Sessions: all, Counts: engine.Count(all)}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := encoded(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}
