//go:build linux

// Command measure prints what a running deskbell costs beside what it may, with made-up
// sessions (SPEC section 16).
//
//	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o /tmp/deskbell . &&
//	go run ./testdata/measure -deskbell /tmp/deskbell [-only rest] [-watch 60s]
//
// Each row makes a scratch HOME with sessions of Claude Code, each a process of its own
// that does nothing, and starts deskbell on it, with a session bus of its own where
// dbus-daemon is installed. At rest the system calls are counted with strace. What a
// machine under load takes for something is nothing to go by: see the ratios, and the
// medians. The figures of the real Claude Code are those of testdata/real.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	b := &bench{}
	flag.StringVar(&b.bin, "deskbell", "", "the program to measure")
	flag.DurationVar(&b.watch, "watch", time.Minute, "how long it is watched where that takes time")
	flag.StringVar(&b.bus, "bus", "", "address of the session bus to run on; without it one of its own")
	only := flag.String("only", "", "the rows whose name has that in it")
	flag.Parse()
	if b.bin == "" {
		log.Fatal("-deskbell is missing: build one with go build -o /tmp/deskbell .")
	}
	if os.Getenv(inside) == "" {
		if err := alone(); err != nil {
			log.Fatal(err)
		}
		return
	}
	var err error
	if b.bin, err = filepath.Abs(b.bin); err == nil {
		err = b.measure(*only)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// inside marks a run in a process table of its own: what others start and end on the
// machine is not to be measured.
const inside = "DESKBELL_MEASURE_INSIDE"

func alone() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	run := exec.Command("unshare", append([]string{"-p", "-f", "--mount-proc", self}, os.Args[1:]...)...)
	run.Env = append(os.Environ(), inside+"=1")
	run.Stdout, run.Stderr = os.Stdout, os.Stderr
	return run.Run()
}

// bench is what all rows have in common.
type bench struct {
	bin, bus string
	watch    time.Duration
	empty    string // a program that does nothing
}

// rows are the figures to reach. Each returns ours, and whether that will do.
var rows = []struct {
	name, reach string
	ours        func(b *bench) (string, bool, error)
}{
	{"size of the binary", "<= 20 MB", (*bench).size},
	{"one call of the hook client", "<= 2 x an empty program, <= 4 ms CPU", (*bench).hook},
	{"hook to transition on the stream", "p50 <= 5 ms, p95 <= 10 ms", (*bench).transition},
	{"events a second, through the socket", ">= 20000, none lost", (*bench).flood},
	{"50 sessions that work: memory", "<= 30 MB RSS", (*bench).memory},
	{"a killed session is ended", "<= 200 ms, no polling", (*bench).exit},
	{"a new session without hooks is seen", "<= 1 s", (*bench).arrival},
	{"700 processes, 20 sessions, not at rest", "<= 0.2 % of a core", (*bench).crowd},
	{"cold start, 5000 transcripts of 1 MB, 20 live", "<= 300 ms, <= 64 KB read of each live one", (*bench).cold},
	{"a transcript of 1 GB grows 1000 lines/s", "<= 5 % of a core, memory flat", (*bench).growth},
	{"10 sessions at rest", "0 wake-ups by a timer, <= 0.02 % CPU", (*bench).rest},
}

func (b *bench) measure(only string) error {
	dir, err := os.MkdirTemp("", "deskbell-measure-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if b.bus == "" {
		end, err := b.ownBus()
		if err != nil {
			fmt.Println("without a session bus:", err)
			b.bus = "unix:path=/nonexistent"
		} else {
			defer end()
		}
	}
	if b.empty, err = empty(dir); err != nil {
		return err
	}
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Printf("load %s\n| | reach | ours | |\n|---|---|---|---|\n", strings.TrimSpace(string(load)))
	var missed []error
	for _, r := range rows {
		if !strings.Contains(r.name, only) {
			continue
		}
		ours, ok, err := r.ours(b)
		word := "reached"
		switch {
		case err != nil:
			word, ours = "not measured", err.Error()
		case !ok:
			word = "missed"
		}
		fmt.Printf("| %s | %s | %s | %s |\n", r.name, r.reach, ours, word)
		if word != "reached" {
			missed = append(missed, fmt.Errorf("%s: %s", r.name, word))
		}
	}
	return errors.Join(missed...)
}

// ownBus starts a session bus.
func (b *bench) ownBus() (end func(), err error) {
	bus := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address")
	out, err := bus.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := bus.Start(); err != nil {
		return nil, err
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	b.bus = strings.TrimSpace(address)
	return func() { _ = bus.Process.Kill(); _ = bus.Wait() }, err
}

// empty builds a program that does nothing.
func empty(dir string) (string, error) {
	source, to := filepath.Join(dir, "empty.go"), filepath.Join(dir, "empty")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		return "", err
	}
	c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", to, source)
	c.Env, c.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	return to, c.Run()
}
