//go:build linux || darwin

package host

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// ear is a Source that runs, and what it told.
type ear struct {
	*Source
	t    *testing.T
	end  func()
	mu   sync.Mutex
	told []string // guarded by mu
	said []string // guarded by mu
}

func listen(t *testing.T, socket string) *ear {
	t.Helper()
	e := &ear{t: t}
	e.Source = New(Heard{Socket: socket, Say: func(text string) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.said = append(e.said, text)
	}, CLIs: []sources.CLI{{Name: "x", Titles: []sources.Form{
		{Lead: "/", Says: engine.ListedBusy, Moves: true}, {Lead: "?", Says: engine.ListedAsking},
	}}}})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- e.Run(ctx, func(evs ...engine.Event) {
			e.mu.Lock()
			defer e.mu.Unlock()
			for _, ev := range evs {
				if ev.By != engine.Terminal {
					t.Errorf("by %v", ev.By)
				}
				e.told = append(e.told, fmt.Sprintf("%s %s %T%+v", ev.Who.Term, ev.Who.Tool, ev.Fact, ev.Fact))
			}
		})
	}()
	e.end = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(e.end)
	until(t, "it listens", func() bool { _, err := os.Lstat(socket); return err == nil })
	return e
}

// hears waits until it has told of something, and forgets all until then.
func (e *ear) hears(what string) {
	e.t.Helper()
	until(e.t, what, func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		for i, told := range e.told {
			if strings.Contains(told, what) {
				e.told = e.told[i+1:]
				return true
			}
		}
		return false
	})
}

// shortDir is a folder with a path that a socket may have.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "h")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// TestSource hosts a shell, hears what it does, and has it do something, over a restart.
func TestSource(t *testing.T) {
	socket := filepath.Join(shortDir(t), "s")
	e := listen(t, socket)
	if info, err := os.Lstat(socket); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, %v", info.Mode(), err)
	}
	w := openWindow(t, hosted(t, Options{ID: "t1", Argv: []string{"sh"}, Socket: socket}))
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if err := e.Await(ctx, "t1"); err != nil {
		t.Fatal(err)
	}
	e.hears("t1  engine.Hosted{Open:true Runs:0}")
	e.hears("t1  engine.Hosted{Open:true Runs:")
	e.hears("t1  engine.Drew{}")
	w.sees("$ ")
	term, ok := e.Terminal("t1")
	if !ok || !strings.HasPrefix(term.TTY, "/dev/") || term.Runs == 0 || term.Unsent {
		t.Errorf("got %+v", term)
	}
	w.types(`printf '\033]0;/ one\007\033]0;? two\007'`)
	until(t, "unsent text is told", func() bool { term, _ := e.Terminal("t1"); return term.Unsent })
	w.types("\r")
	e.hears("t1 x engine.Titled{Form:? ")
	until(t, "that it was sent is told", func() bool { term, _ := e.Terminal("t1"); return !term.Unsent })

	if err := e.Type(ctx, "t1", `echo "it's $((20+3))"`, true); err != nil {
		t.Fatal(err)
	}
	w.sees("it's 23")
	if term, _ := e.Terminal("t1"); term.Unsent {
		t.Error("what we type is taken for yours")
	}
	if err := e.Type(ctx, "other", "x", true); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}

	e.end() // deskbell is started again; the terminal has noticed nothing
	w.types("echo still $((40+2))\r")
	w.sees("still 42")
	e.mu.Lock()
	for _, told := range e.told {
		if strings.Contains(told, "Open:false") {
			t.Errorf("going away closes a terminal: %s", told)
		}
	}
	e.mu.Unlock()
	e = listen(t, socket)
	w.types("echo\r") // something happens
	e.hears("t1  engine.Hosted{Open:true Runs:0}")
	e.hears(fmt.Sprintf("Runs:%d", term.Runs))
	e.hears("t1 x engine.Titled{Form:? ") // the title is told again
	if err := e.Close(ctx, "t1"); err != nil {
		t.Fatal(err)
	}
	e.hears("t1  engine.Hosted{Open:false")
	if got := w.ends(); got != bySignal+1 {
		t.Errorf("got %d", got)
	}
	if err := e.Close(ctx, "t1"); err != nil {
		t.Errorf("closing what is closed: %v", err)
	}
}

// TestRubbish checks that whoever sends nonsense is left out, and the others are not.
func TestRubbish(t *testing.T) {
	socket := filepath.Join(shortDir(t), "s")
	e := listen(t, socket)
	for _, text := range []string{
		"", "\n", "rubbish\n", `{"drew":true}` + "\n", `{"hello":{"term":"../x","tty":"/dev/pts/1"}}` + "\n", `{"hello":{"term":"t1","tty":"x"}}` + "\n",
		`{"hello":{"term":"t2","tty":"/dev/pts/9"}}` + "\n" + strings.Repeat("x", longestLine+1),
	} {
		c, err := net.Dial("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = c.Write([]byte(text)) // it may have hung up
		if u := c.(*net.UnixConn); u.CloseWrite() == nil {
			_ = c.SetReadDeadline(time.Now().Add(soon))
			if n, err := c.Read(make([]byte, 1)); n != 0 || err == nil {
				t.Errorf("%.20q: it is answered", text)
			}
		}
		c.Close()
	}
	e.hears("t2  engine.Hosted{Open:false")
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.said) != 2 {
		t.Errorf("it says %q, want one line for greetings and one for words", e.said)
	}
}

// TestOpenWindow checks that it returns when the terminal is there, and says so where none
// comes to be.
func TestOpenWindow(t *testing.T) {
	e := listen(t, filepath.Join(shortDir(t), "s"))
	o := Options{ID: "t1", Dir: "/w", Argv: []string{"claude", "--resume", "x y"}, Stay: true}
	err := e.Open(t.Context(), o, func(argv []string) (<-chan error, error) {
		if got, want := strings.Join(argv[1:], "|"), "host|--terminal=t1|--dir=/w|--stay|--|claude|--resume|x y"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		openWindow(t, hosted(t, Options{ID: "t1", Argv: []string{"cat"}, Socket: e.opt.Socket}))
		gone := make(chan error, 1)
		gone <- nil // another process has the window
		return gone, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, open := e.Terminal("t1"); !open {
		t.Error("it is not there")
	}
	o.ID = "t2"
	err = e.Open(t.Context(), o, func([]string) (<-chan error, error) {
		gone := make(chan error, 1)
		gone <- errors.New("exit status 1: no display")
		return gone, nil
	})
	if want := "no terminal was opened: exit status 1: no display"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
