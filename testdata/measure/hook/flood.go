//go:build linux || darwin

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"deskbell/engine"
	"deskbell/sources/hooks/client"
)

const (
	sendTo     = "DESKBELL_MEASURE_SEND_TO"
	senders    = 64
	impatience = 3e6 // what the real client waits for a receiver that is busy, in ns
	flooded    = 5 * time.Second
)

// flood has another process send rate events a second, in 64 goroutines that take no
// longer for it than the real client, and counts what arrives, how fast and in which
// order.
func flood(dir string, rate int) error {
	run := filepath.Join(dir, "flood", "deskbell")
	if err := os.MkdirAll(run, 0o700); err != nil {
		return err
	}
	next := map[string]int{}
	var arrived atomic.Int64
	disorder := 0
	var waits []time.Duration
	stop, err := receiver(run, func(e engine.Event) {
		waits = append(waits, time.Since(e.At))
		sender, number, _ := strings.Cut(e.Who.ID, " ")
		n, _ := strconv.Atoi(number)
		if n < next[sender] {
			disorder++
		}
		next[sender] = n + 1
		arrived.Add(1)
	})
	if err != nil {
		return err
	}
	defer stop()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	before := spent()
	child := exec.Command(self)
	child.Env = append(os.Environ(), sendTo+"="+filepath.Join(run, client.SocketName)+" "+strconv.Itoa(rate))
	child.Stderr = os.Stderr
	out, err := child.Output()
	if err != nil {
		return err
	}
	var sent, lost int
	if _, err := fmt.Fscan(bufio.NewReader(strings.NewReader(string(out))), &sent, &lost); err != nil {
		return err
	}
	for until := time.Now().Add(2 * time.Second); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		if int(arrived.Load()) >= sent {
			break
		}
	}
	used := spent() - before
	stop()
	n := arrived.Load()
	if n == 0 {
		return fmt.Errorf("none of %d events arrived", sent)
	}
	fmt.Printf("%d a second from %d senders for %v: %d sent, %d given up, %d arrived, %d out of their sender's order; "+
		"from send to event p50 %v, p95 %v, p99 %v; receiver %v CPU an event\n", rate, senders, flooded, sent, lost, n, disorder,
		at(waits, 50), at(waits, 95), at(waits, 99), (used / time.Duration(n)).Round(100*time.Nanosecond))
	return nil
}

// sendAll is the other process.
func sendAll(to string) {
	path, number, _ := strings.Cut(to, " ")
	rate, _ := strconv.Atoi(number)
	boot, command := client.BootID(), strings.Repeat("x", 800)
	gap := senders * time.Second / time.Duration(rate)
	began := time.Now()
	var sent, lost atomic.Int64
	var wg sync.WaitGroup
	for s := range senders {
		wg.Go(func() {
			for n := 0; ; n++ {
				due := began.Add(gap*time.Duration(n) + gap*time.Duration(s)/senders)
				if due.Sub(began) > flooded {
					return
				}
				time.Sleep(time.Until(due))
				f := client.Frame{Tool: "claude", Wall: time.Now().UnixNano(), Boot: client.Boot(), BootID: boot, Self: os.Getpid()}
				f.Payload = fmt.Appendf(nil, `{"session_id":"%d %d","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"%s"}}`,
					s, n, command)
				if client.Send(path, f.Append(nil), impatience) != nil {
					lost.Add(1)
				} else {
					sent.Add(1)
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(sent.Load(), lost.Load())
}

func spent() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
