package process

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// The test binary is its own child: it says that it runs, and waits for the end
// of its input. In the mode "fork" it first starts itself once more.
const mode = "PROCESS_TEST_CHILD"

// holding is how many MB a child takes, beside what any program does. One that forks
// takes no more than that.
const holding = "PROCESS_TEST_HOLDS"

func TestMain(m *testing.M) {
	switch os.Getenv(mode) {
	case "":
		os.Exit(m.Run())
	case "fork":
		child := exec.Command(os.Args[0], os.Args[1:]...)
		child.Args = os.Args
		child.Env = append(os.Environ(), mode+"=wait")
		in, _ := child.StdinPipe()
		defer in.Close()
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		if err == nil {
			err = child.Start()
		}
		if err == nil {
			_, err = bufio.NewReader(out).ReadString('\n')
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("ready %d\n", child.Process.Pid)
		bufio.NewReader(os.Stdin).ReadByte()
		child.Process.Kill()
		child.Wait()
	default:
		mb, _ := strconv.Atoi(os.Getenv(holding))
		held := bytes.Repeat([]byte{1}, mb<<20)
		fmt.Printf("ready %d\n", os.Getpid())
		bufio.NewReader(os.Stdin).ReadByte()
		runtime.KeepAlive(held)
	}
}

// toy recognizes processes by the base name of what they run.
func toy() sources.CLI {
	return sources.CLI{Name: "toy", HomeEnv: "CODEX_HOME", CallEnv: "TOY_CALL", Runs: func(p sources.Proc) (engine.Who, bool) {
		if len(p.Args) == 0 || strings.TrimSuffix(filepath.Base(p.Args[0]), ".exe") != "toycli" {
			return engine.Who{}, false
		}
		var who engine.Who
		for i, arg := range p.Args {
			switch {
			case arg == "--id" && i+1 < len(p.Args):
				who.ID = p.Args[i+1]
			case arg == "-C" && i+1 < len(p.Args):
				who.Dir = p.Args[i+1]
			case arg == "-p":
				who.Loose = true
			}
		}
		return who, true
	}}
}

// child is a running toy.
type child struct {
	*exec.Cmd
	dir   string
	ready int // the pid it told when it ran
	in    interface{ Close() error }
}

// toycli puts the test binary in a folder under the toy's name.
func toycli(t testing.TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "toycli")
	if filepath.Ext(self) == ".exe" {
		path += ".exe"
	}
	if os.Symlink(self, path) != nil {
		text, err := os.ReadFile(self)
		if err == nil {
			err = os.WriteFile(path, text, 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func spawn(t testing.TB, how string, change func(*exec.Cmd), args ...string) *child {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &child{Cmd: exec.Command(toycli(t), args...), dir: dir}
	c.Dir = dir
	c.Env = append(os.Environ(), mode+"="+how, "GORACE=atexit_sleep_ms=0")
	if change != nil {
		change(c.Cmd)
	}
	c.begin(t)
	return c
}

// begin starts the child and waits until it says that it runs.
func (c *child) begin(t testing.TB) {
	t.Helper()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if c.Stdin == nil {
		if c.in, err = c.StdinPipe(); err != nil {
			t.Fatal(err)
		}
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.kill() })
	c.wait(t, out)
}

func (c *child) wait(t testing.TB, out interface{ Read([]byte) (int, error) }) {
	t.Helper()
	if _, err := fmt.Fscanf(bufio.NewReader(out), "ready %d\n", &c.ready); err != nil {
		t.Fatalf("the child does not run: %v", err)
	}
}

func (c *child) kill() {
	c.Process.Kill()
	c.Process.Wait()
}

// rig is a running Source.
type rig struct {
	*Source
	t      testing.TB
	events chan engine.Event
	said   chan string
}

func start(t testing.TB, change ...func(*Options)) *rig {
	t.Helper()
	r := &rig{t: t, events: make(chan engine.Event, 1000), said: make(chan string, 10)}
	o := Options{CLIs: []sources.CLI{toy()}, Say: func(text string) { r.said <- text }}
	for _, f := range change {
		f(&o)
	}
	r.Source = New(o)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		err := r.Run(ctx, func(evs ...engine.Event) {
			for _, ev := range evs {
				r.events <- ev
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { cancel(); wg.Wait() })
	return r
}

func (r *rig) next() engine.Event {
	r.t.Helper()
	select {
	case ev := <-r.events:
		return ev
	case <-time.After(10 * time.Second):
		r.t.Fatal("nothing was told")
	}
	return engine.Event{}
}

// table returns the runs of the next table.
func (r *rig) table() map[int]engine.Who {
	r.t.Helper()
	for {
		if t, ok := r.next().Fact.(engine.Table); ok {
			runs := make(map[int]engine.Who)
			for _, who := range t.Runs {
				runs[who.PID] = who
			}
			return runs
		}
	}
}

// alive returns the next event about the life of a process.
func (r *rig) alive(pid int) (engine.Who, engine.Alive) {
	r.t.Helper()
	for {
		ev := r.next()
		if a, ok := ev.Fact.(engine.Alive); ok && ev.Who.PID == pid {
			return ev.Who, a
		}
	}
}

func (r *rig) ask(who engine.Who) (engine.Who, engine.Alive) {
	r.t.Helper()
	r.Answer(engine.Question{Ask: engine.AskProcess, Who: who})
	return r.alive(who.PID)
}
