package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"

	"golang.org/x/sys/unix"
)

// pty opens a terminal and returns both its ends.
func pty(t *testing.T) (keyboard, screen *os.File) {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skip(err)
	}
	keyboard = os.NewFile(uintptr(fd), "ptmx")
	t.Cleanup(func() { keyboard.Close() })
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	return keyboard, screen
}

// on lets a command run on a terminal.
func on(screen *os.File) func(*exec.Cmd) {
	return func(c *exec.Cmd) {
		c.Stdin = screen
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	}
}

func TestTerminalOfARun(t *testing.T) {
	_, screen := pty(t)
	c := spawn(t, "wait", func(c *exec.Cmd) {
		on(screen)(c)
		c.Env = append(c.Env, "TMUX=/tmp/tmux-0/default,1,0", "KITTY_WINDOW_ID=1")
	})
	r := start(t)
	who := r.table()[c.Process.Pid]
	if who.TTY != screen.Name() {
		t.Errorf("got %q, want %q", who.TTY, screen.Name())
	}
	if who.RunsIn != "tmux" {
		t.Errorf("got %q, want tmux", who.RunsIn)
	}
	asked, _ := r.ask(engine.Who{Tool: "toy", PID: c.Process.Pid})
	if asked != who {
		t.Errorf("got %+v when asked, want %+v", asked, who)
	}
}

// A shell on a terminal that becomes the CLI keeps its pid and start.
func TestExecKeepsThePID(t *testing.T) {
	keyboard, screen := pty(t)
	shell := &child{Cmd: exec.Command("sh", "-c", `echo ready $$; read line; exec "$0" --id 9`, toycli(t))}
	shell.Env = append(os.Environ(), mode+"=wait", "GORACE=atexit_sleep_ms=0")
	on(screen)(shell.Cmd)
	out, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(shell.kill)
	shell.wait(t, out)
	pid := shell.ready
	r := start(t)
	if _, ok := r.table()[pid]; ok {
		t.Error("a shell counts as the CLI")
	}
	r.inbox.Put(func() { r.scan.procs[pid].Ticks = 1 }) // so that it does not count as young
	fmt.Fprintln(keyboard)
	shell.wait(t, out)
	r.Answer(engine.Question{Ask: engine.AskProcesses})
	if who := r.table()[pid]; who.ID != "9" {
		t.Errorf("got %+v", who)
	}
}

func TestZombieIsDead(t *testing.T) {
	c := spawn(t, "wait", nil)
	p, _ := glance(c.Process.Pid)
	c.Process.Kill()
	if err := unix.Waitid(unix.P_PID, p.PID, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	if _, alive := glance(p.PID); alive {
		t.Error("it counts as alive")
	}
}

func TestEPERMMeansAlive(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may signal everybody")
	}
	if _, alive := glance(1); !alive {
		t.Error("init counts as dead")
	}
	if ours(1) {
		t.Error("init counts as ours")
	}
}

// spaces starts a child in a pid namespace of its own and returns its domain.
func spaces(t *testing.T) (c *child, domain string) {
	t.Helper()
	c = &child{Cmd: exec.Command(toycli(t))}
	c.Env = append(os.Environ(), mode+"=wait", "GORACE=atexit_sleep_ms=0")
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if c.in, err = c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EACCES) {
		t.Skip("no namespaces here: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.kill)
	c.wait(t, out)
	return c, "linux:other:" + link(c.Process.Pid, "/ns/pid")
}

func TestProcessInAnotherNamespace(t *testing.T) {
	c, domain := spaces(t)
	if c.ready != 1 {
		t.Fatalf("the child says that it is %d", c.ready)
	}
	r := start(t)
	asked := engine.Who{Tool: "toy", ID: "n", PID: 1, Domain: domain, Dir: "/inside"}
	who, a := r.ask(asked)
	if !a.Yes || who.PID != 1 || who.Domain != domain || who.Dir != "/inside" || who.Ticks == 0 {
		t.Fatalf("got %+v %+v", who, a)
	}
	// Another number in a namespace that we see into is nobody's, as far as we may
	// look into all of them.
	other := asked
	other.PID = 4321
	if _, a := r.ask(other); a.Yes {
		t.Errorf("got %+v", a)
	}
	c.Process.Kill()
	if gone, a := r.alive(1); a.Yes || gone != who {
		t.Errorf("got %+v %+v", gone, a)
	}
}

func TestDomains(t *testing.T) {
	own := link(os.Getpid(), "/ns/pid")
	machine, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		t.Skip(err)
	}
	self, _ := glance(os.Getpid())
	id := strings.TrimSpace(string(machine))
	r := start(t)
	for _, tt := range []struct {
		name, domain string
		pid          int
		ticks        uint64
		want         engine.Alive
	}{
		{"ours", "linux:" + id + ":" + own, os.Getpid(), 0, engine.Alive{Yes: true}},
		{"ours, and gone", "linux:" + id + ":" + own, 1 << 22, 0, engine.Alive{}},
		{"ours, recycled", "linux:" + id + ":" + own, os.Getpid(), 1, engine.Alive{}},
		{"another machine", "linux:feedfeed:" + own, os.Getpid(), 1, engine.Alive{Elsewhere: true}},
		{"another machine's dead", "linux:feedfeed:" + own, 1 << 22, 1, engine.Alive{Elsewhere: true}},
		{"another name of this machine", "linux:cafecafe:" + own, os.Getpid(), self.Ticks, engine.Alive{Yes: true}},
		{"and from then on", "linux:cafecafe:" + own, 1 << 22, 1, engine.Alive{}},
		{"a namespace nobody is in", "linux:" + id + ":pid:[1]", os.Getpid(), 0, engine.Alive{Elsewhere: true}},
		{"another system", "darwin:x", os.Getpid(), 0, engine.Alive{Elsewhere: true}},
		{"nonsense", "linux:", os.Getpid(), 0, engine.Alive{Elsewhere: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := engine.Who{Tool: "toy", PID: tt.pid, Ticks: tt.ticks, Domain: tt.domain}
			if _, got := r.ask(asked); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func BenchmarkExitNoticed(b *testing.B) {
	r := start(b)
	if !r.Watches() {
		b.Skip("this kernel does not tell of the end of processes")
	}
	var late time.Duration
	for range b.N {
		b.StopTimer()
		c := spawn(b, "wait", nil)
		r.ask(engine.Who{Tool: "toy", PID: c.Process.Pid})
		b.StartTimer()
		before := time.Now()
		c.Process.Kill()
		r.alive(c.Process.Pid)
		late += time.Since(before)
	}
	b.ReportMetric(float64(late.Microseconds())/1000/float64(b.N), "ms/exit")
}

// BenchmarkScan tells what a look costs with 700 processes: the first, which reads
// everything, and a later one.
func BenchmarkScan(b *testing.B) {
	list, _, err := pids()
	if err != nil {
		b.Fatal(err)
	}
	for range 700 - len(list) {
		c := exec.Command("sleep", "1000")
		if err := c.Start(); err != nil {
			b.Skip(err)
		}
		b.Cleanup(func() { c.Process.Kill(); c.Wait() })
	}
	runs := toy().Runs
	fresh := func() *Scan {
		return NewScan(func(p sources.Proc) bool { _, ok := runs(p); return ok })
	}
	now := time.Now()
	report := func(b *testing.B, s *Scan) {
		b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/look")
		b.ReportMetric(float64(len(s.procs)), "processes")
	}
	b.Run("first", func(b *testing.B) {
		var s *Scan
		for b.Loop() {
			s = fresh()
			if err := s.Look(now); err != nil {
				b.Fatal(err)
			}
		}
		report(b, s)
	})
	b.Run("later", func(b *testing.B) {
		s := fresh()
		if err := s.Look(now); err != nil {
			b.Fatal(err)
		}
		for _, p := range s.procs { // none of them is young
			if p != nil {
				p.Ticks = 1
			}
		}
		for b.Loop() {
			if err := s.Look(now); err != nil {
				b.Fatal(err)
			}
		}
		report(b, s)
	})
}

// BenchmarkMemory tells what a look costs with a hundred processes, as 20 sessions have,
// that take 32 MB each. Of that, kin is to find out who belongs to whom.
func BenchmarkMemory(b *testing.B) {
	for range 100 {
		spawn(b, "wait", holds("32"))
	}
	who, roots := []engine.Who{{PID: os.Getpid()}}, map[int]int{os.Getpid(): 0}
	s := New(Options{})
	s.emit = func(...engine.Event) {}
	for name, part := range map[string]func(){
		"first": func() { s.scales = scales{}; s.measure(who, roots) },
		"later": func() { s.scales.at = time.Time{}; s.measure(who, roots) },
		"kin":   func() { _, _ = kinship() },
	} {
		b.Run(name, func(b *testing.B) {
			var before, after unix.Rusage
			_ = unix.Getrusage(unix.RUSAGE_SELF, &before)
			for b.Loop() {
				part()
			}
			_ = unix.Getrusage(unix.RUSAGE_SELF, &after)
			cpu := after.Stime.Nano() + after.Utime.Nano() - before.Stime.Nano() - before.Utime.Nano()
			b.ReportMetric(float64(cpu)/1e6/float64(b.N), "cpu-ms/look")
		})
	}
}
