package tray

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"deskbell/testdata/bus"
)

// A process has one tray, so each test runs its own: this test program again,
// as a child that takes orders on its standard input, one a line.

const childEnv = "DESKBELL_TRAY_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		beChild()
		return
	}
	os.Exit(m.Run())
}

// order is what a child is told: a menu to show, or something to do.
type order struct {
	Show *Menu
	Do   string
}

func beChild() {
	ctx, cancel := context.WithCancel(context.Background())
	say := func(line string) { fmt.Println("say " + line) }
	t := New(Options{Say: say, LeftNext: os.Getenv(childEnv) == "next"})
	t.patience, t.retry, t.calm = 300*time.Millisecond, 100*time.Millisecond, 20*time.Millisecond
	go func() {
		for a := range t.Clicks() {
			fmt.Println(strings.TrimSpace(strings.Join([]string{"click", a.Verb, string(a.Session)}, " ") + " " + a.Arg))
		}
	}()
	begun := make(chan struct{})
	go func() {
		defer cancel()
		in := bufio.NewScanner(os.Stdin)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			var o order
			if err := json.Unmarshal(in.Bytes(), &o); err != nil {
				panic(err)
			}
			switch {
			case o.Show != nil:
				t.Show(*o.Show)
			case o.Do == "run":
				close(begun)
			case o.Do == "goroutines":
				fmt.Println("goroutines", runtime.NumGoroutine())
			case o.Do == "spoil": // what a careless use of the shared connection does
				shared, err := dbus.SessionBus()
				if err == nil {
					_, err = shared.RequestName("org.example.Spoiler", 0)
				}
				fmt.Println("spoilt", err)
			}
		}
	}()
	<-begun
	fmt.Println("end", t.Run(ctx))
}

type child struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    *json.Encoder
	close func() error
	lines chan string
}

// start runs a child on the bus that shows first, if it is not nil, from the
// start.
func start(t *testing.T, b *bus.Bus, first *Menu, kind string) *child {
	t.Helper()
	return launch(t, exec.Command(os.Args[0]), b.Env(), first, kind)
}

// launch runs a command that becomes a child.
func launch(t *testing.T, cmd *exec.Cmd, env []string, first *Menu, kind string) *child {
	t.Helper()
	cmd.Env = append(env, childEnv+"="+kind, "GORACE=exitcode=0 atexit_sleep_ms=0")
	cmd.Stderr = &tell{t: t}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{t: t, cmd: cmd, in: json.NewEncoder(in), close: in.Close, lines: make(chan string, 1000)}
	go func() {
		defer close(c.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			c.lines <- s.Text()
		}
	}()
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if first != nil {
		c.show(*first)
	}
	c.tell("run")
	return c
}

// tell passes on what a child writes to its standard error.
type tell struct {
	t    *testing.T
	text strings.Builder
}

func (w *tell) Write(p []byte) (int, error) { return w.text.Write(p) }

func (c *child) show(m Menu) { c.send(order{Show: &m}) }

func (c *child) tell(do string) { c.send(order{Do: do}) }

func (c *child) send(o order) {
	if err := c.in.Encode(o); err != nil {
		c.t.Fatal(err)
	}
}

// hear waits for a line that begins like this.
func (c *child) hear(begin string) string {
	c.t.Helper()
	limit := time.After(20 * time.Second)
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.t.Fatalf("the child ended before %q: %s", begin, c.cmd.Stderr.(*tell).text.String())
			}
			if strings.HasPrefix(line, begin) {
				return line
			}
		case <-limit:
			c.t.Fatalf("the child did not say %q", begin)
		}
	}
}

// said returns what the child said until now, and is not yet read.
func (c *child) said() (lines []string) {
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				return lines
			}
			lines = append(lines, line)
		default:
			return lines
		}
	}
}

// races fails the test for each data race the child reports, but for those of
// the tray library with itself.
func (c *child) races() {
	for _, report := range strings.Split(c.cmd.Stderr.(*tell).text.String(), "==================\n") {
		lines := strings.Split(report, "\n")
		ours := false
		for i, line := range lines[:len(lines)-1] {
			for _, access := range []string{"Read at", "Write at", "Previous read", "Previous write"} {
				if strings.HasPrefix(line, access) && !strings.Contains(lines[i+1], "fyne.io/systray.") {
					ours = true
				}
			}
		}
		if ours {
			c.t.Error(report)
		}
	}
}

// stop ends the child in the orderly way.
func (c *child) stop() {
	c.t.Helper()
	c.close()
	if got := c.hear("end"); got != "end <nil>" {
		c.t.Errorf("got %q", got)
	}
	if err := c.cmd.Wait(); err != nil {
		c.t.Errorf("%v: %s", err, c.cmd.Stderr.(*tell).text.String())
	}
	c.races()
}

// until waits for something to come true on another process's side.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	limit, tick := time.After(20*time.Second), time.NewTicker(5*time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("never: %s", what)
		}
	}
}

// during sees to it that something stays true for so long.
func during(t *testing.T, d time.Duration, what string, is func() bool) {
	t.Helper()
	limit, tick := time.After(d), time.NewTicker(20*time.Millisecond)
	defer tick.Stop()
	for {
		if !is() {
			t.Fatalf("no longer: %s", what)
		}
		select {
		case <-tick.C:
		case <-limit:
			return
		}
	}
}
