package hooks

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/hooks/client"
)

// desktop is a running Source, and what it told.
type desktop struct {
	*Source
	t    *testing.T
	told chan engine.Event
	said chan string
	end  func()
}

// receivers are the ways to receive there are.
var receivers = map[string]func(*Source, context.Context) error{"poll": (*Source).receive, "net": (*Source).receiveNet}

// begin runs a Source for a CLI called "claude", whose events tell the payload's "id".
func begin(t *testing.T, receive func(*Source, context.Context) error) *desktop {
	t.Helper()
	dir, err := os.MkdirTemp("", "dbh") // a short path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	d := &desktop{t: t, told: make(chan engine.Event, 1<<16), said: make(chan string, 100)}
	d.Source = New(Options{
		CLIs:   []sources.CLI{{Name: "claude", Title: "Claude Code", Hooks: map[string]func(sources.Hook) ([]engine.Event, error){"*": byID}}},
		Socket: SocketPath(dir),
		Say:    func(s string) { d.said <- s },
	})
	d.run(receive)
	return d
}

func byID(h sources.Hook) ([]engine.Event, error) {
	var p struct{ ID string }
	err := json.Unmarshal(h.Payload, &p)
	return []engine.Event{{Who: engine.Who{ID: p.ID, PID: h.PID, Term: h.Env["AGENT_MANAGER_TERMINAL_ID"]}, Fact: engine.Lived{}}}, err
}

func (d *desktop) run(receive func(*Source, context.Context) error) {
	ctx, cancel := context.WithCancel(d.t.Context())
	ended := make(chan error, 1)
	d.emit = func(events ...engine.Event) {
		for _, e := range events {
			d.told <- e
		}
	}
	go func() { ended <- receive(d.Source, ctx) }()
	d.end = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			d.t.Errorf("it ended with %v", err)
		}
	})
	d.t.Cleanup(d.end)
	for until := time.Now().Add(10 * time.Second); ; {
		c, err := net.Dial("unix", d.opt.Socket)
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(until) {
			d.t.Fatal(err)
		}
	}
}

// wants waits for events, in this order.
func (d *desktop) wants(ids ...string) {
	d.t.Helper()
	for _, id := range ids {
		select {
		case e := <-d.told:
			if e.Who.ID != id {
				d.t.Fatalf("got %.60q, want %.60q", e.Who.ID, id)
			}
		case <-time.After(20 * time.Second):
			d.t.Fatalf("%q did not arrive", id)
		}
	}
}

var bootID = client.BootID()

// frame is what a client would send now.
func frame(id string) []byte {
	f := client.Frame{Tool: "claude", Event: "Stop", Wall: time.Now().UnixNano(), Boot: client.Boot(), BootID: bootID, Self: os.Getpid()}
	f.Payload = fmt.Appendf(nil, `{"id":%q}`, id)
	return f.Append(nil)
}

// send sends as a client does, but waits until there is room.
func (d *desktop) send(frame []byte) {
	d.t.Helper()
	if err := client.Send(d.opt.Socket, frame, int64(20*time.Second)); err != nil {
		d.t.Error(err)
	}
}

// each runs a test for each way to receive.
func each(t *testing.T, test func(t *testing.T, d *desktop)) {
	for name, receive := range receivers {
		t.Run(name, func(t *testing.T) { test(t, begin(t, receive)) })
	}
}

// TestClient checks the whole way, from the program to the event.
func TestClient(t *testing.T) {
	each(t, func(t *testing.T, d *desktop) {
		before := time.Now().Add(-time.Second)
		link := filepath.Join(t.TempDir(), "deskbell")
		if err := os.Symlink(filepath.Dir(d.opt.Socket), link); err != nil {
			t.Skip(err)
		}
		call(t, filepath.Dir(link), `{"id":"one"}`, "AGENT_MANAGER_TERMINAL_ID=t1")
		e := <-d.told
		if e.Who.ID != "one" || e.Who.Tool != "claude" || e.By != engine.Hook || e.Who.Term != "t1" {
			t.Errorf("got %+v", e)
		}
		if e.At.Before(before) || e.At.After(time.Now()) {
			t.Errorf("it happened at %v, between %v and now", e.At, before)
		}
		if _, err := os.Stat("/proc/self/stat"); err == nil && e.Who.PID != os.Getpid() {
			t.Errorf("it was called by %d, want %d", e.Who.PID, os.Getpid())
		}
	})
}

// TestNonsense checks that what is no hook is counted, told once, and harms nobody.
func TestNonsense(t *testing.T) {
	with := func(change func(f *client.Frame)) []byte {
		f := client.Frame{Tool: "claude", Payload: []byte(`{}`)}
		change(&f)
		return f.Append(nil)
	}
	payload := func(text string) []byte { return with(func(f *client.Frame) { f.Payload = []byte(text) }) }
	each(t, func(t *testing.T, d *desktop) {
		until := time.Now().Add(20 * time.Second)
		for i, bad := range [][]byte{
			[]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), []byte("x"), []byte("dbh1"), make([]byte, 5000),
			[]byte("dbh1\xff\xff\xff\xff\xff\xff\xff\xff"), []byte("dbh1\x00\x00\x00\x02\x00\x00\x00\x05xx{"), frame("half")[:40],
			payload(""), payload(`{"id":`), payload("{\"id\":\"\x00\"}"), payload(`[]`), payload(`{} {}`), payload(strings.Repeat("[", 60<<10)),
		} {
			d.send(bad)
			d.send(frame("fine"))
			d.wants("fine")
			for got := d.Counts().Broken; got != uint64(i+1); got = d.Counts().Broken {
				if time.Now().After(until) {
					t.Fatalf("%.40q: %d broken, want %d", bad, got, i+1)
				}
				d.send(frame("fine"))
				d.wants("fine")
			}
		}
		d.send(with(func(f *client.Frame) { f.Tool = "unheard-of" }))
		d.send(payload(`{"id":7}`))
		d.send(with(func(f *client.Frame) { f.Cut = true; f.Payload = []byte("{\"id\":\"\xff\"}") }))
		d.wants("\ufffd")
		if got := d.Counts(); got.Unknown != 1 || got.Failed != 1 || got.Shortened != 1 || got.Foreign != 0 {
			t.Errorf("got %+v", got)
		}
		if len(d.said) != 3 {
			t.Errorf("%d complaints, want 3", len(d.said))
		}
		for len(d.said) > 0 {
			t.Log(<-d.said)
		}
	})
}

// TestHuge checks that somebody who sends without end does not get far.
func TestHuge(t *testing.T) {
	each(t, func(t *testing.T, d *desktop) {
		if err := client.Send(d.opt.Socket, make([]byte, 100<<20), int64(time.Minute)); err == nil {
			t.Error("100 MB were taken")
		}
		d.send(frame("fine"))
		d.wants("fine")
	})
}

// TestSilent checks that clients who say nothing, or not all of it, hold nobody up, and
// that one who takes its time is heard.
func TestSilent(t *testing.T) {
	each(t, func(t *testing.T, d *desktop) {
		slow, err := net.Dial("unix", d.opt.Socket)
		if err != nil {
			t.Fatal(err)
		}
		text := frame("slow")
		if _, err := slow.Write(text[:20]); err != nil {
			t.Fatal(err)
		}
		d.send(frame("quick"))
		d.wants("quick")
		if _, err := slow.Write(text[20:]); err != nil {
			t.Fatal(err)
		}
		d.wants("slow")
		slow.Close()
		for range 2 * crowd { // more than are waited for
			c, err := net.Dial("unix", d.opt.Socket)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
		}
		began := time.Now()
		d.send(frame("behind them"))
		d.wants("behind them")
		t.Logf("behind %d who are silent: %v", 2*crowd, time.Since(began))
	})
}

// TestAgain checks that a Source can be run again, and cleans up.
func TestAgain(t *testing.T) {
	for name, receive := range receivers {
		t.Run(name, func(t *testing.T) {
			d := begin(t, receive)
			d.send(frame("one"))
			d.wants("one")
			d.end()
			if _, err := os.Lstat(d.opt.Socket); err == nil {
				t.Error("the socket is still there")
			}
			d.run(receive)
			d.send(frame("two"))
			d.wants("two")
			if got := d.Counts().Received; got != 2 {
				t.Errorf("%d received, want 2", got)
			}
		})
	}
}

// TestStress checks that 64 clients at once lose nothing, and that what each of them
// sends arrives in its order. (With a goroutine to each client, that is only nearly
// so.) How fast it is, is logged.
func TestStress(t *testing.T) {
	each(t, func(t *testing.T, d *desktop) {
		const senders, calls = 64, 320
		began := time.Now()
		var wg sync.WaitGroup
		defer wg.Wait()
		for s := range senders {
			wg.Go(func() {
				for n := range calls {
					d.send(frame(fmt.Sprintf("%d %d", s, n)))
				}
			})
		}
		next := make([]int, senders)
		var waits []time.Duration
		last := time.Time{}
		disorder := 0
		limit := time.After(time.Minute)
		for range senders * calls {
			var e engine.Event
			select {
			case e = <-d.told:
			case <-limit:
				t.Fatalf("events are missing: %+v", d.Counts())
			}
			waits = append(waits, time.Since(e.At))
			name, number, _ := strings.Cut(e.Who.ID, " ")
			s, _ := strconv.Atoi(name)
			n, _ := strconv.Atoi(number)
			if n != next[s] && strings.HasSuffix(t.Name(), "poll") {
				t.Errorf("sender %d: got %d, want %d", s, n, next[s])
			}
			next[s] = n + 1
			if e.At.Before(last) {
				disorder++
			}
			last = e.At
		}
		wg.Wait()
		slices.Sort(waits)
		t.Logf("%d a second; from send to event p50 %v, p99 %v; %d told after a later one", int(senders*calls/time.Since(began).Seconds()),
			waits[len(waits)/2], waits[len(waits)*99/100], disorder)
		if got := d.Counts(); got.Translated != senders*calls || got.Broken != 0 {
			t.Errorf("got %+v", got)
		}
	})
}

// TestPathsAreReal checks that a folder and a home below a link are told by their real
// paths (C69, C70): those are what processes and files are told by.
func TestPathsAreReal(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "private", "proj"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("private", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	var got []engine.Event
	who := engine.Who{Dir: filepath.Join(dir, "link", "proj"), Home: filepath.Join(dir, "link") + "/"}
	s := New(Options{CLIs: []sources.CLI{{Name: "toy", Hooks: map[string]func(sources.Hook) ([]engine.Event, error){"*": func(sources.Hook) ([]engine.Event, error) {
		return []engine.Event{{Who: who, Fact: engine.Lived{}}, {Who: who, Fact: engine.Lived{}}, {Who: engine.Who{ID: "x"}, Fact: engine.Lived{}}}, nil
	}}}}})
	s.emit = func(evs ...engine.Event) { got = evs }
	s.tell(arrived{tool: "toy", hook: sources.Hook{Payload: json.RawMessage(`{}`)}})
	want := engine.Who{Tool: "toy", Dir: filepath.Join(dir, "private", "proj"), Home: filepath.Join(dir, "private")}
	if len(got) != 3 || got[0].Who != want || got[1].Who != want || got[2].Who != (engine.Who{Tool: "toy", ID: "x"}) {
		t.Errorf("got %+v, want %+v twice and nothing of the third", got, want)
	}
}
