package client

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The client does its work while the test binary initializes: called by its name,
// that is the client.

// child is a client that is about to be run.
type child struct {
	*exec.Cmd
	out bytes.Buffer
}

// hook prepares a call of the client as argv, with a runtime folder and nothing else in
// its environment.
func newChild(t *testing.T, runtime string, argv ...string) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	c := &child{Cmd: exec.CommandContext(ctx, self)}
	c.Args = argv
	c.Env = []string{"XDG_RUNTIME_DIR=" + runtime, "GORACE=atexit_sleep_ms=0"}
	for _, name := range []string{"SYSTEMROOT", "GOCOVERDIR"} { // Windows and coverage want them
		if v := os.Getenv(name); v != "" {
			c.Env = append(c.Env, name+"="+v)
		}
	}
	c.Stdout, c.Stderr = &c.out, &c.out
	return c
}

// fine runs the client and checks what must always hold: it ends with status 0 and has
// printed want and nothing else. How long it took is logged.
func (c *child) fine(t *testing.T, want string) {
	t.Helper()
	began := time.Now()
	err := c.Run()
	t.Logf("%s %v: %v", c.Args, c.Env[0], time.Since(began).Round(10*time.Microsecond))
	if err != nil {
		t.Errorf("%v: %v, want status 0", c.Args, err)
	}
	if got := c.out.String(); got != want {
		t.Errorf("%v printed %q, want %q", c.Args, got, want)
	}
}

// runtime makes a runtime folder, with a short path: sockets are made below it.
func runtimeDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "dbh")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Mkdir(filepath.Join(dir, "deskbell"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// receiver reads the frames that come in.
type receiver struct {
	l      net.Listener
	frames chan Frame
	raw    chan []byte
}

func listenIn(t *testing.T, runtime string) *receiver {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(runtime, "deskbell", SocketName))
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{l: l, frames: make(chan Frame, 100), raw: make(chan []byte, 100)}
	ended := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-ended })
	go func() {
		defer close(ended)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			var text bytes.Buffer
			_, _ = text.ReadFrom(c)
			c.Close()
			f, err := Parse(text.Bytes())
			if err != nil {
				t.Errorf("%v: %q", err, text.Bytes())
				continue
			}
			r.raw <- text.Bytes()
			r.frames <- f
		}
	}()
	return r
}

// one waits for a frame.
func (r *receiver) one(t *testing.T) Frame {
	t.Helper()
	select {
	case f := <-r.frames:
		return f
	case <-time.After(10 * time.Second):
		t.Fatal("nothing arrived")
		panic("unreachable")
	}
}

// none checks that nothing more has arrived: clients that have ended have sent what
// they were going to, and frames come in order.
func (r *receiver) none(t *testing.T, runtime string) {
	t.Helper()
	last := newChild(t, runtime, name, "last")
	last.Stdin = strings.NewReader("{}")
	last.fine(t, "")
	if f := r.one(t); f.Tool != "last" {
		t.Errorf("%s %s arrived: %.100q", f.Tool, f.Event, f.Payload)
	}
}
