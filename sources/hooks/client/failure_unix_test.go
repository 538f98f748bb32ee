//go:build linux || darwin

package client

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const beReceiver = "DESKBELL_TEST_RECEIVER"

// TestMain is also a receiver in a process of its own, which can be stopped.
func TestMain(m *testing.M) {
	if path := os.Getenv(beReceiver); path != "" {
		l, err := net.Listen("unix", path)
		fmt.Println("listening", err)
		for err == nil {
			var c net.Conn
			if c, err = l.Accept(); err == nil {
				line, _ := bufio.NewReader(c).ReadString('}')
				fmt.Println(strings.Count(line, Magic))
				c.Close()
			}
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// TestC84Stopped checks that a receiver that was stopped holds nobody up, and that
// what was sent meanwhile is there when it goes on.
func TestC84Stopped(t *testing.T) {
	dir := runtimeDir(t)
	run := exec.CommandContext(t.Context(), os.Args[0])
	run.Env = []string{beReceiver + "=" + filepath.Join(dir, "deskbell", SocketName)}
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = run.Process.Kill(); _ = run.Wait() }()
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "listening <nil>" {
		t.Fatalf("the receiver says %q", lines.Text())
	}
	if err := run.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	const calls = 20
	for range calls {
		c := newChild(t, dir, name)
		c.Stdin = strings.NewReader(payload)
		c.fine(t, "")
	}
	if err := run.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	for i := range calls {
		if !lines.Scan() || lines.Text() != "1" {
			t.Fatalf("%d: %q", i, lines.Text())
		}
	}
}

// TestC84Full checks that the client drops its event where the receiver takes no more.
func TestC84Full(t *testing.T) {
	dir := runtimeDir(t)
	l, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(l)
	at := &syscall.SockaddrUnix{Name: filepath.Join(dir, "deskbell", SocketName)}
	if err := syscall.Bind(l, at); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(l, 1); err != nil {
		t.Fatal(err)
	}
	for full := false; !full; {
		c, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer syscall.Close(c)
		if err := syscall.SetNonblock(c, true); err != nil {
			t.Fatal(err)
		}
		full = syscall.Connect(c, at) != nil
	}
	for range 3 {
		c := newChild(t, dir, name)
		c.Stdin = strings.NewReader(payload)
		c.fine(t, "")
	}
}

// TestLargeForNobody checks that a frame that does not fit into the socket of a
// receiver that does not read is dropped.
func TestLargeForNobody(t *testing.T) {
	dir := runtimeDir(t)
	l, err := net.Listen("unix", filepath.Join(dir, "deskbell", SocketName))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	began := time.Now()
	if err := Send(l.Addr().String(), make([]byte, 64<<20), sendPatience); err == nil {
		t.Error("64 MB went into a socket nobody reads")
	}
	t.Logf("given up after %v", time.Since(began))
}

// TestC86Streams checks that the client does not mind what its standard streams are.
func TestC86Streams(t *testing.T) {
	dir := runtimeDir(t)
	r := listenIn(t, dir)
	bin := filepath.Join(dir, name)
	link(t, bin)
	for _, c := range []struct {
		script string
		sent   bool
	}{
		{`"$0" gemini <&-`, false},
		{`"$0" gemini </dev/null`, false},
		{`"$0" gemini </`, false},
		{`echo '{}' | "$0" gemini >&-`, true},
		{`echo '{}' | "$0" gemini 2>&-`, true},
		{`f=/dev/full; [ -e $f ] || f=/dev/null; echo '{}' | "$0" gemini >$f`, true},
		{`echo '{}' | { exec >&- 2>&-; exec "$0" gemini; }`, true},
		{`{ echo '{}' | "$0" gemini; echo $? >&3; } 3>&1 | true`, true}, // its output is a pipe nobody reads
		{`echo '{}' | { ulimit -n 4; exec "$0" gemini; }`, false},       // not even a socket can be had
		{`cd /dev; echo '{}' | "$0" gemini`, true},
	} {
		run := exec.CommandContext(t.Context(), "/bin/sh", "-c", c.script, bin)
		run.Env = []string{"XDG_RUNTIME_DIR=" + dir, "GORACE=atexit_sleep_ms=0"}
		out, err := run.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v %s", c.script, err, out)
		}
		if text := strings.Trim(string(out), "{}\n0"); text != "" {
			t.Errorf("%s: printed %q", c.script, out)
		}
		if c.sent {
			r.one(t)
		}
	}
	r.none(t, dir)
}

// link makes another name for the test binary.
func link(t *testing.T, to string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, to); err != nil {
		t.Fatal(err)
	}
}

// TestC89Paths checks that neither the client's path nor the socket's need be plain.
func TestC89Paths(t *testing.T) {
	for _, odd := range []string{"a b", "it's", `"q"`, "ünï-漢", "$x `y` \\z", "-n", "new\nline"} {
		dir := filepath.Join(runtimeDir(t), odd)
		if err := os.MkdirAll(filepath.Join(dir, "deskbell"), 0o700); err != nil {
			t.Fatal(err)
		}
		r := listenIn(t, dir)
		bin := filepath.Join(dir, name)
		link(t, bin)
		// As a CLI does it: a command line, read by a shell.
		quoted := "'" + strings.ReplaceAll(bin, "'", `'\''`) + "'"
		run := exec.CommandContext(t.Context(), "/bin/sh", "-c", quoted+" claude Stop")
		run.Env = []string{"XDG_RUNTIME_DIR=" + dir + "///", "GORACE=atexit_sleep_ms=0"}
		run.Stdin = strings.NewReader(payload)
		if out, err := run.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%q: %v %s", odd, err, out)
		}
		if f := r.one(t); f.Event != "Stop" {
			t.Errorf("%q: got %+v", odd, f)
		}
	}
}
