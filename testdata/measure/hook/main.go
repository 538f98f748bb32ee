//go:build linux || darwin

// Command hook prints what a call of the hook client costs, beside a program that does
// nothing.
//
//	go run ./testdata/measure/hook [-n 300] [-payload 1000]
//
// It builds the real binary as it is released, static and stripped, and calls it as
// deskbell-hook: with a receiver that listens, with one that is stopped, and with none.
// The runs take turns, so that whatever else the machine does hits all of them alike.
// Figures are medians. Then it floods a receiver from another process. With strace (Debian package strace) it counts the programs run.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"deskbell/engine"
)

func main() {
	log.SetFlags(0)
	if to := os.Getenv(sendTo); to != "" {
		sendAll(to)
		return
	}
	n := flag.Int("n", 300, "calls of each")
	size := flag.Int("payload", 1000, "bytes of the payload")
	flag.Parse()
	if err := measure(*n, *size); err != nil {
		log.Fatal(err)
	}
}

// run is one kind of call.
type run struct {
	name      string
	argv, env []string
	wall, cpu []time.Duration
	arrived   []time.Duration // from the start until the receiver had translated it
	told      <-chan time.Time
}

func measure(n, size int) error {
	dir, err := os.MkdirTemp("", "deskbell-hook-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	empty, hook, err := build(dir)
	if err != nil {
		return err
	}
	for _, d := range []string{"up", "stopped", "away"} {
		if err := os.MkdirAll(filepath.Join(dir, d, "deskbell"), 0o700); err != nil {
			return err
		}
	}
	env := func(d string) []string {
		return append(os.Environ(), "XDG_RUNTIME_DIR="+filepath.Join(dir, d), fmt.Sprint("CLAUDE_PID=", os.Getpid()))
	}
	told := make(chan time.Time, 64)
	stop, err := receiver(filepath.Join(dir, "up", "deskbell"), func(engine.Event) { told <- time.Now() })
	if err != nil {
		return err
	}
	defer stop()
	if err := stopped(filepath.Join(dir, "stopped", "deskbell", "hooks.sock")); err != nil {
		return err
	}
	runs := []*run{
		{name: "empty program", argv: []string{empty}, env: env("up")},
		{name: "received", argv: []string{hook, "claude"}, env: env("up"), told: told},
		{name: "by shell, received", argv: []string{"/bin/sh", "-c", "'" + hook + "' claude"}, env: env("up"), told: told},
		{name: "shell alone", argv: []string{"/bin/sh", "-c", "'" + empty + "' claude"}, env: env("up")},
		{name: "receiver stopped, full", argv: []string{hook, "claude"}, env: env("stopped")},
		{name: "no receiver", argv: []string{hook, "claude"}, env: env("away")},
	}
	payload := fmt.Sprintf(`{"session_id":"3f0c","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"toolu_1","tool_input":{"command":%q}}`,
		strings.Repeat("x", max(size-130, 0)))
	for range n {
		for _, r := range runs {
			if err := r.once(payload); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
		}
	}
	fmt.Printf("%-24s %10s %8s %8s %8s %10s %10s\n", "", "wall", "ratio", "p95", "CPU", "until told", "p95")
	base := median(runs[0].wall)
	for _, r := range runs {
		fmt.Printf("%-24s %10v %8.2f %8v %8v", r.name, median(r.wall), float64(median(r.wall))/float64(base), at(r.wall, 95), median(r.cpu))
		if len(r.arrived) > 0 {
			fmt.Printf(" %10v %10v", median(r.arrived), at(r.arrived, 95))
		}
		fmt.Println()
	}
	if err := execs(hook, env("up"), payload); err != nil {
		return err
	}
	stop()
	for _, rate := range []int{1000, 20000} {
		if err := flood(dir, rate); err != nil {
			return err
		}
	}
	return nil
}

// build makes the empty program and the hook client.
func build(dir string) (empty, hook string, err error) {
	empty, hook = filepath.Join(dir, "empty"), filepath.Join(dir, "deskbell-hook")
	source := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		return "", "", err
	}
	for _, b := range [][]string{{empty, source}, {hook, "."}} {
		c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b[0], b[1])
		c.Env = append(os.Environ(), "CGO_ENABLED=0")
		c.Stderr = os.Stderr
		if err := c.Run(); err != nil {
			return "", "", fmt.Errorf("%v: %w", c.Args, err)
		}
	}
	return empty, hook, nil
}

func (r *run) once(payload string) error {
	in, out, err := os.Pipe()
	if err != nil {
		return err
	}
	defer in.Close()
	if _, err := out.WriteString(payload); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	for len(r.told) > 0 { // one that came too late for its own call
		<-r.told
	}
	began := time.Now()
	p, err := os.StartProcess(r.argv[0], r.argv, &os.ProcAttr{Env: r.env, Files: []*os.File{in, nil, os.Stderr}})
	if err != nil {
		return err
	}
	state, err := p.Wait()
	if err != nil {
		return err
	}
	r.wall = append(r.wall, time.Since(began))
	r.cpu = append(r.cpu, state.UserTime()+state.SystemTime())
	if code := state.ExitCode(); code != 0 {
		return fmt.Errorf("exit status %d", code)
	}
	if r.told != nil {
		select {
		case t := <-r.told:
			r.arrived = append(r.arrived, t.Sub(began))
		case <-time.After(time.Second):
			fmt.Println("one call did not arrive")
		}
	}
	return nil
}

// stopped makes a socket that nobody looks after, and fills its queue.
func stopped(path string) error {
	l, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	at := &syscall.SockaddrUnix{Name: path}
	if err := syscall.Bind(l, at); err != nil {
		return err
	}
	if err := syscall.Listen(l, 1); err != nil {
		return err
	}
	for {
		c, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		if err := syscall.SetNonblock(c, true); err != nil {
			return err
		}
		if syscall.Connect(c, at) != nil {
			return nil
		}
	}
}

// execs counts the programs one call runs.
func execs(hook string, env []string, payload string) error {
	strace, err := exec.LookPath("strace")
	if err != nil {
		fmt.Println("programs run: not counted, strace is not installed")
		return nil
	}
	c := exec.Command(strace, "-f", "-e", "trace=execve", hook, "claude")
	c.Env, c.Stdin = env, strings.NewReader(payload)
	var text strings.Builder
	c.Stderr = &text
	if err := c.Run(); err != nil {
		return fmt.Errorf("strace: %w", err)
	}
	fmt.Printf("programs run by a call: %d\n", strings.Count(text.String(), "execve("))
	return nil
}

func median(d []time.Duration) time.Duration { return at(d, 50) }

func at(d []time.Duration, percent int) time.Duration {
	s := slices.Sorted(slices.Values(d))
	return s[min(len(s)*percent/100, len(s)-1)].Round(10 * time.Microsecond)
}
