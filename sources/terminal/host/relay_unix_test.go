//go:build linux || darwin

package host

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// noise is bytes that mean anything to a terminal.
func noise(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]byte, n)
	for i := range out {
		if out[i] = byte(r.Uint32()); r.IntN(8) == 0 {
			out[i] = esc
		}
	}
	return out
}

// TestOutput checks that what is printed is shown to the last byte.
func TestOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "noise")
	want := noise(3 << 20)
	if err := os.WriteFile(file, want, 0o600); err != nil {
		t.Fatal(err)
	}
	w := hostWindow(t, "sh", "-c", `stty raw; cat "$1"; exit 3`, "sh", file)
	if status := w.ends(); status != 3 {
		t.Errorf("status: got %d, want 3", status)
	}
	if got := w.seen.Bytes(); !bytes.Equal(got, want) {
		t.Errorf("%d bytes are shown, %d were printed", len(got), len(want))
	}
}

// TestInput checks that what is typed arrives to the last byte, and that a paste is not
// too long.
func TestInput(t *testing.T) {
	want := noise(300_000)
	w := hostWindow(t, "sh", "-c", `stty raw -echo; printf go; head -c 300000 | sha256sum`)
	w.sees("go")
	if _, err := w.keys.Write(want); err != nil {
		t.Fatal(err)
	}
	w.sees(fmt.Sprintf("%x", sha256.Sum256(want)))
}

// TestStatus checks that the exit status is passed on.
func TestStatus(t *testing.T) {
	for _, c := range []struct {
		argv []string
		want int
	}{
		{[]string{"true"}, 0},
		{[]string{"sh", "-c", "exit 42"}, 42},
		{[]string{"sh", "-c", "kill -9 $$"}, 128 + 9},
		{[]string{"sh", "-c", "kill -TERM $$"}, 128 + 15},
		{[]string{"no-such-program-anywhere"}, 127},
		{[]string{"/etc/passwd"}, 126},
	} {
		w := hostWindow(t, c.argv...)
		if got := w.ends(); got != c.want {
			t.Errorf("%q: got %d, want %d", c.argv, got, c.want)
		}
	}
}

// TestLastWords checks that nothing printed before the end is lost, also where somebody
// else holds the terminal open.
func TestLastWords(t *testing.T) {
	for range 20 {
		w := hostWindow(t, "sh", "-c", `sleep 100 & printf 'last %s' words`)
		w.sees("last words")
		if got := w.ends(); got != 0 {
			t.Fatalf("got %d", got)
		}
	}
}

// TestWithoutTerminal checks that where there is none a command is just run, without a
// name of one.
func TestWithoutTerminal(t *testing.T) {
	c := hosted(t, Options{Argv: []string{"sh", "-c", "echo -$AGENT_MANAGER_TERMINAL_ID-$CLAUDECODE-$KEPT-; cat"}})
	c.Env = append(c.Env, "AGENT_MANAGER_TERMINAL_ID=other", "CLAUDECODE=1", "KEPT=x")
	c.Stdin = strings.NewReader("in")
	out, err := c.Output()
	if err != nil || string(out) != "---x-\nin" {
		t.Errorf("got %q, %v", out, err)
	}
}

// TestSize checks that the size of the window is that of the terminal, also when it changes.
func TestSize(t *testing.T) {
	w := hostWindow(t, "sh", "-c", `trap 'stty size; exit' WINCH; stty size; while :; do read x; done`)
	w.sees("24 80")
	w.resize(50, 132)
	w.sees("50 132")
}

// TestModes checks that the terminal is as before, however it ends, and that what somebody
// else has changed in the meantime stays.
func TestModes(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(w *window)
		want int
	}{
		{"exit", func(w *window) { w.types("exit 5\r") }, 5},
		{"killed child", func(w *window) { w.types("kill -9 $$\r") }, 128 + 9},
		{"hangup", func(w *window) { _ = w.relay.Process.Signal(syscall.SIGHUP) }, 128 + 1},
	} {
		w := hostWindow(t, "sh")
		before := w.before
		w.sees("$ ")
		during := w.modes()
		if during.Lflag&(unix.ECHO|unix.ICANON|unix.ISIG) != 0 || during.Oflag&unix.OPOST != 0 {
			t.Errorf("%s: the terminal still does something by itself: %+v", c.name, during)
		}
		during.Iflag ^= unix.IXANY // by another program
		if err := unix.IoctlSetTermios(int(w.tty.Fd()), setTermios, &during); err != nil {
			t.Fatal(err)
		}
		c.end(w)
		if got := w.ends(); got != c.want {
			t.Errorf("%s: got status %d, want %d", c.name, got, c.want)
		}
		before.Iflag ^= unix.IXANY
		if after := w.modes(); after != before {
			t.Errorf("%s: got %+v, want %+v", c.name, after, before)
		}
	}
}

// TestPanic checks that the terminal is given back before a panic ends the program.
func TestPanic(t *testing.T) {
	keys, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer keys.Close()
	defer tty.Close()
	s, err := newScreen(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.take(); err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is not passed on")
			}
		}()
		defer (&relay{shown: s}).safe()
		panic("oh")
	}()
	if now, err := unix.IoctlGetTermios(int(tty.Fd()), getTermios); err != nil || *now != s.began {
		t.Errorf("got %+v, want %+v: %v", now, s.began, err)
	}
}

// TestHungUp checks that what runs in a window that is closed is told so.
func TestHungUp(t *testing.T) {
	file := filepath.Join(t.TempDir(), "told")
	w := hostWindow(t, "sh", "-c", `trap 'echo told >"$1"; exit' HUP; echo ready; while :; do sleep 0.1; done`, "sh", file)
	w.sees("ready")
	w.tty.Close()
	w.keys.Close()
	until(t, "it is told", func() bool { text, _ := os.ReadFile(file); return string(text) == "told\n" })
	until(t, "the relay has ended", func() bool { _, err := w.relay.Process.Wait(); return err == nil || w.relay.ProcessState != nil })
}

// TestKeys checks that keys are signals to what runs there, and to nothing else.
func TestKeys(t *testing.T) {
	w := hostWindow(t, "sh", "-c", `trap 'echo interrupted' INT; echo ready; while :; do read x && echo "got $x"; done`)
	w.sees("ready")
	w.types("\x03")
	w.sees("interrupted")
	w.types("\x13\x11") // XOFF, XON
	w.types("line\r")
	w.sees("got line")
}

// TestStopped checks that where what runs stops itself, it goes on if nobody could make it
// go on, and that otherwise we stop with it.
func TestStopped(t *testing.T) {
	w := hostWindow(t, "sh", "-c", `kill -STOP $$; echo on`)
	w.sees("on")

	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	c := hosted(t, Options{Argv: []string{"sh", "-c", `echo "in $(stty -a | grep -o ' -\?echo ')"; kill -STOP $$; echo "on again"`}, Socket: filepath.Join(t.TempDir(), "none")})
	inner := slices.Clone(c.Env)
	outer := exec.Command(bash, "--norc", "--noprofile", "--noediting", "-i")
	for _, v := range inner {
		if !strings.HasPrefix(v, us+"=") {
			outer.Env = append(outer.Env, v)
		} else {
			outer.Env = append(outer.Env, "OPTIONS="+strings.TrimPrefix(v, us+"="))
		}
	}
	w = openWindow(t, outer)
	w.sees("$ ")
	w.types(fmt.Sprintf("%s=\"$OPTIONS\" %s\n", us, c.Path))
	w.sees("in  echo")
	w.sees("Stopped")
	w.sees("$ ")
	until(t, "the modes are those of the shell", func() bool { return w.modes().Lflag&unix.ECHO != 0 && w.modes().Oflag&unix.OPOST != 0 })
	w.types("fg\n")
	w.sees("on again")
	w.sees("$ ")
	w.types("echo status $?\n")
	w.sees("status 0")
	w.types("exit\n")
	w.ends()
}

// TestStay checks that your shell goes on in the same terminal, whatever the command has
// left of it.
func TestStay(t *testing.T) {
	dir := t.TempDir()
	w := openWindow(t, hosted(t, Options{ID: "t1", Dir: dir, Argv: []string{"sh", "-c", "tty; stty raw -echo; kill -9 $$"}, Stay: true, Socket: filepath.Join(dir, "none")}))
	tty := strings.TrimSpace(w.sees("\n"))
	w.sees("$ ")
	w.types("tty; pwd; echo $AGENT_MANAGER_TERMINAL_ID; exit 9\r")
	w.sees(tty)
	w.sees(dir)
	w.sees("t1")
	if got := w.ends(); got != 9 {
		t.Errorf("got %d", got)
	}
}

// TestFolderGone checks that no other folder takes its place.
func TestFolderGone(t *testing.T) {
	w := openWindow(t, hosted(t, Options{Dir: filepath.Join(t.TempDir(), "gone"), Argv: []string{"pwd"}}))
	if got := w.ends(); got != notFound || !strings.Contains(w.seen.String(), "make the folder again, or choose another") {
		t.Errorf("got %d: %q", got, w.seen.String())
	}
}

// BenchmarkOutput shows 200 MB, hosted and not. The sum of what is shown must be right.
func BenchmarkOutput(b *testing.B) {
	const size = 200 << 20
	file := filepath.Join(b.TempDir(), "lines")
	want := bytes.Repeat([]byte("the quick brown fox \x1b[1mjumps\x1b[0m over the lazy dog\n"), size/49)
	if err := os.WriteFile(file, want, 0o600); err != nil {
		b.Fatal(err)
	}
	sum := sha256.Sum256(want)
	script := `stty raw; exec cat "$1"`
	for _, c := range []struct {
		name string
		cmd  func() *exec.Cmd
	}{
		{"bare", func() *exec.Cmd { return exec.Command("sh", "-c", script, "sh", file) }},
		{"hosted", func() *exec.Cmd {
			return hosted(b, Options{Argv: []string{"sh", "-c", script, "sh", file}, Socket: filepath.Join(b.TempDir(), "none")})
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(want)))
			for b.Loop() {
				w := openWindow(b, c.cmd())
				w.tty.Close()
				h := sha256.New()
				if _, err := io.CopyN(h, w.keys, int64(len(want))); err != nil {
					b.Fatal(err)
				}
				if !bytes.Equal(h.Sum(nil), sum[:]) {
					b.Fatal("something else is shown")
				}
				_ = w.relay.Wait()
			}
		})
	}
}

// BenchmarkKey is the time from a key to its echo by what runs, hosted and not.
func BenchmarkKey(b *testing.B) {
	argv := []string{"sh", "-c", `stty raw -echo; printf go; exec cat`}
	for _, c := range []struct {
		name string
		cmd  *exec.Cmd
	}{{"bare", exec.Command(argv[0], argv[1:]...)}, {"hosted", hosted(b, Options{Argv: argv, Socket: filepath.Join(b.TempDir(), "none")})}} {
		b.Run(c.name, func(b *testing.B) {
			w := openWindow(b, c.cmd)
			w.sees("go")
			_ = w.keys.SetReadDeadline(time.Time{})
			key := []byte{'x'}
			var all []time.Duration
			for b.Loop() {
				began := time.Now()
				if _, err := w.keys.Write(key); err != nil {
					b.Fatal(err)
				}
				if _, err := io.ReadFull(w.keys, key); err != nil {
					b.Fatal(err)
				}
				all = append(all, time.Since(began))
			}
			slices.Sort(all)
			b.ReportMetric(float64(all[len(all)/2].Microseconds()), "µs-p50")
			b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "µs-p99")
		})
	}
}
