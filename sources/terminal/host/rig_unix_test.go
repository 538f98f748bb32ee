//go:build linux || darwin

package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// us is set in the environment of the copy of this program that is a relay.
const us = "DESKBELL_TEST_HOST"

func TestMain(m *testing.M) {
	if text := os.Getenv(us); text != "" {
		var o Options
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			panic(err)
		}
		os.Unsetenv(us)
		status, err := Run(o)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(status)
	}
	os.Exit(m.Run())
}

// soon is longer than a loaded machine takes for anything here.
const soon = 20 * time.Second

// window is a terminal window with a relay in it.
type window struct {
	testing.TB
	keys, tty *os.File
	relay     *exec.Cmd
	before    unix.Termios // its modes before the command ran
	seen      bytes.Buffer
}

// hosted is the command that hosts o.
func hosted(t testing.TB, o Options) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), us+"="+string(text), "PS1=$ ", "SHELL=/bin/sh")
	return c
}

// open opens a window with a command in it.
func openWindow(t testing.TB, c *exec.Cmd) *window {
	t.Helper()
	ours, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Dup(int(ours.Fd())) // which has made it one that blocks
	ours.Close()
	if err != nil {
		t.Fatal(err)
	}
	unix.CloseOnExec(fd)
	if err := unix.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	keys := os.NewFile(uintptr(fd), "keys")
	w := &window{TB: t, keys: keys, tty: tty, relay: c}
	w.resize(24, 80)
	w.before = w.modes()
	c.Stdin, c.Stdout, c.Stderr = tty, tty, tty
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		keys.Close()
		tty.Close()
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return w
}

func hostWindow(t testing.TB, argv ...string) *window {
	t.Helper()
	return openWindow(t, hosted(t, Options{Argv: argv, Socket: filepath.Join(t.TempDir(), "none")}))
}

// sees waits until the window shows text, and returns all until then.
func (w *window) sees(text string) string {
	w.Helper()
	room := make([]byte, 4096)
	end := time.Now().Add(soon)
	for {
		if before, after, ok := strings.Cut(w.seen.String(), text); ok {
			w.seen.Reset()
			w.seen.WriteString(after)
			return before
		}
		if err := w.keys.SetReadDeadline(end); err != nil {
			w.Fatal(err)
		}
		n, err := w.keys.Read(room)
		w.seen.Write(room[:n])
		if err != nil && !strings.Contains(w.seen.String(), text) {
			w.Fatalf("%q is not shown, but %q: %v", text, w.seen.String(), err)
		}
	}
}

func (w *window) types(text string) {
	w.Helper()
	if _, err := w.keys.WriteString(text); err != nil {
		w.Fatal(err)
	}
}

// ends waits for the end of the relay, and returns its status.
func (w *window) ends() int {
	w.Helper()
	done := make(chan error, 1)
	go func() { done <- w.relay.Wait() }()
	room := make([]byte, 64<<10)
	for over := false; ; {
		_ = w.keys.SetReadDeadline(time.Now().Add(20 * time.Millisecond)) // what nobody reads stops it
		n, _ := w.keys.Read(room)
		w.seen.Write(room[:n])
		if over && n == 0 {
			return w.relay.ProcessState.ExitCode()
		}
		select {
		case err := <-done:
			var e *exec.ExitError
			if over = true; err != nil && !errors.As(err, &e) {
				w.Fatal(err)
			}
		default:
		}
	}
}

func (w *window) resize(rows, cols uint16) {
	w.Helper()
	if err := unix.IoctlSetWinsize(int(w.tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: cols}); err != nil {
		w.Fatal(err)
	}
}

func (w *window) modes() unix.Termios {
	w.Helper()
	m, err := unix.IoctlGetTermios(int(w.tty.Fd()), getTermios)
	if err != nil {
		w.Fatal(err)
	}
	return *m
}

// until waits for something that is not shown.
func until(t testing.TB, what string, is func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(soon)
	for !is() {
		select {
		case <-limit:
			t.Fatalf("not within %v: %s", soon, what)
		case <-tick.C:
		}
	}
}
