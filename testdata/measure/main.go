// Command measure prints what a running deskbell costs, with made-up sessions.
//
//	go build -o /tmp/deskbell . && go run ./testdata/measure -deskbell /tmp/deskbell [-sessions 10] [-active 1m] [-watch 60s]
//
// It makes a scratch HOME with that many sessions of Claude Code, each a process of its
// own that does nothing, lets all of them work for -active, brings them to rest, and
// then counts with strace what deskbell does in -watch. It needs strace.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	bin := flag.String("deskbell", "", "the program to measure")
	n := flag.Int("sessions", 10, "sessions")
	active := flag.Duration("active", time.Minute, "how long they work first")
	watch := flag.Duration("watch", time.Minute, "how long deskbell is watched at rest")
	flag.StringVar(&bus, "bus", "unix:path=/nonexistent", "address of the session bus to run on")
	flag.Parse()
	if *bin == "" {
		log.Fatal("-deskbell is missing: build one with go build -o /tmp/deskbell .")
	}
	if os.Getenv(inside) == "" {
		if err := alone(); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := measure(*bin, *n, *active, *watch); err != nil {
		log.Fatal(err)
	}
}

var bus string

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

func measure(bin string, n int, active, watch time.Duration) error {
	home, err := os.MkdirTemp("", "deskbell-measure-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	w := &world{home: home}
	defer w.end()
	for i := range n {
		if err := w.add(i); err != nil {
			return err
		}
	}
	run := exec.Command(bin)
	run.Env = append(w.env(), "DBUS_SESSION_BUS_ADDRESS="+bus)
	run.Stderr = os.Stderr
	began := time.Now()
	if err := run.Start(); err != nil {
		return err
	}
	defer func() { _ = run.Process.Signal(os.Interrupt); _ = run.Wait() }()
	first, err := w.status(bin, n, 5*time.Second)
	if err != nil {
		return err
	}
	pid := run.Process.Pid
	fmt.Printf("%d sessions seen %v after the start; %s\n", n, time.Since(began).Round(time.Millisecond), memory(pid))
	before := cpu(pid)
	events := w.work(active)
	after := cpu(pid)
	if active > 0 {
		fmt.Printf("%d events in %v: %.2f %% of a core; %s\n", events, active, 100*float64(after-before)/100/active.Seconds(), memory(pid))
	}
	w.rest()
	time.Sleep(3 * time.Second)
	if _, err := w.status(bin, n, 5*time.Second); err != nil {
		return err
	}
	fmt.Printf("statuses: %s\n", first)
	return w.trace(pid, watch)
}

// cpu is user and system time in ticks of 10 ms.
func cpu(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return user + system
}

func memory(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	var out []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "VmRSS") || strings.HasPrefix(line, "RssAnon") || strings.HasPrefix(line, "Threads") {
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
	}
	return strings.Join(out, ", ")
}

// trace counts the system calls of pid, and those that ended because time ran out.
func (w *world) trace(pid int, watch time.Duration) error {
	dir, err := os.MkdirTemp("", "deskbell-trace-") // in the home, each line would be something that happens there
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "trace")
	strace := exec.Command("strace", "-f", "-tt", "-p", strconv.Itoa(pid), "-o", file)
	if err := strace.Start(); err != nil {
		return fmt.Errorf("strace (Debian package strace): %w", err)
	}
	time.Sleep(500 * time.Millisecond)
	busy, switched := cpu(pid), switches(pid)
	time.Sleep(watch)
	busy, switched = cpu(pid)-busy, switches(pid)-switched
	_ = strace.Process.Signal(os.Interrupt)
	_ = strace.Wait()
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	calls, timeouts, writes := 0, 0, 0
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "<unfinished") || strings.Contains(line, " --- ") {
			continue
		}
		calls++
		if expired.MatchString(line) {
			timeouts++
			fmt.Print("  ", line)
		}
		if strings.Contains(line, " write(") || strings.Contains(line, " pwrite") {
			writes++
		}
	}
	fmt.Printf("at rest for %v: %d wake-ups by a timer, %d writes, %d system calls in all, %d context switches, %d ms CPU (%.3f %%)\n",
		watch, timeouts, writes, calls, switched, 10*busy, float64(busy)/watch.Seconds())
	if timeouts > 0 {
		return fmt.Errorf("it woke %d times by a timer at rest", timeouts)
	}
	return nil
}

// expired is a wait for files and timers that ended because a timer was due: the only
// way in which a timer of ours shows. Other waits that time out are the Go runtime's.
var expired = regexp.MustCompile(`epoll_pwait.*\[\], \d+, [1-9]\d*, NULL, \d+\) = 0`)

// switches is how often the threads of pid gave up or lost a core.
func switches(pid int) (n int) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	for _, f := range files {
		text, _ := os.ReadFile(f)
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "ctxt_switches") {
				c, _ := strconv.Atoi(strings.Fields(line)[1])
				n += c
			}
		}
	}
	return n
}

// status waits until deskbell shows n sessions.
func (w *world) status(bin string, n int, patience time.Duration) (string, error) {
	var last string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		ask := exec.Command(bin, "status", "--json")
		ask.Env = w.env()
		text, err := ask.Output()
		if err != nil {
			continue
		}
		var s struct {
			Counts   json.RawMessage   `json:"counts"`
			Sessions []json.RawMessage `json:"sessions"`
		}
		if json.Unmarshal(text, &s) == nil {
			if last = string(s.Counts); len(s.Sessions) >= n { // others may run here
				return last, nil
			}
		}
	}
	return "", fmt.Errorf("deskbell does not show %d sessions: %s", n, last)
}
