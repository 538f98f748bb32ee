//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// rest lets ten sessions work, brings them to rest, and counts what deskbell does then.
func (b *bench) rest() (string, bool, error) {
	w, err := newWorld()
	if err != nil {
		return "", false, err
	}
	d, err := b.start(w, 10)
	if err != nil {
		return "", false, err
	}
	defer d.end()
	d.work(10 * time.Second)
	d.world.rest()
	time.Sleep(3 * time.Second)
	if err := d.shows(10); err != nil {
		return "", false, err
	}
	time.Sleep(7 * time.Second) // each request leaves a wake-up behind: the runtime wakes for its time limit of 5 s, though it was met
	return trace(d.pid(), b.watch)
}

// trace counts the system calls of pid, and those that ended because time ran out.
func trace(pid int, watch time.Duration) (string, bool, error) {
	dir, err := os.MkdirTemp("", "deskbell-trace-") // in the home, each line would be something that happens there
	if err != nil {
		return "", false, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "trace")
	strace := exec.Command("strace", "-f", "-tt", "-p", strconv.Itoa(pid), "-o", file)
	if err := strace.Start(); err != nil {
		return "", false, fmt.Errorf("strace (Debian package strace): %w", err)
	}
	time.Sleep(500 * time.Millisecond)
	busy, switched := cpu(pid), switches(pid)
	time.Sleep(watch)
	busy, switched = cpu(pid)-busy, switches(pid)-switched
	_ = strace.Process.Signal(os.Interrupt)
	_ = strace.Wait()
	text, err := os.ReadFile(file)
	if err != nil {
		return "", false, err
	}
	calls, timeouts, writes := 0, 0, 0
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "<unfinished") || strings.Contains(line, " --- ") {
			continue
		}
		calls++
		if expired.MatchString(line) {
			timeouts++
			fmt.Fprint(os.Stderr, "  ", line)
		}
		if strings.Contains(line, " write(") || strings.Contains(line, " pwrite") {
			writes++
		}
	}
	share := float64(busy) / watch.Seconds()
	return fmt.Sprintf("in %v %d wake-ups, %d writes, %d system calls in all, %d context switches, %.3f %% CPU",
		watch, timeouts, writes, calls, switched, share), timeouts == 0 && writes == 0 && share <= 0.02, nil
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
