//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"deskbell/engine"
	"deskbell/engine/live"
)

// daemon is a deskbell that runs in a scratch HOME.
type daemon struct {
	*world
	bin   string
	run   *exec.Cmd
	web   *http.Client
	began time.Time
}

// start makes n sessions and starts deskbell, which is to show them all.
func (b *bench) start(w *world, n int) (*daemon, error) {
	for i := range n {
		if err := w.add(i); err != nil {
			return nil, err
		}
	}
	d := &daemon{world: w, bin: b.bin, run: exec.Command(b.bin)}
	socket := live.SocketPath(filepath.Join(w.home, "run", "deskbell"))
	d.web = &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	d.run.Env = append(w.env(), "DBUS_SESSION_BUS_ADDRESS="+b.bus)
	d.began = time.Now()
	if err := d.run.Start(); err != nil {
		return nil, err
	}
	if err := d.shows(n); err != nil {
		d.end()
		return nil, err
	}
	return d, nil
}

func (d *daemon) end() {
	d.interrupt()
	d.world.end()
}

// interrupt ends deskbell, which may be run by strace.
func (d *daemon) interrupt() {
	pid := d.pid()
	if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)); err == nil && d.run.Path != d.bin {
		if child, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			pid = child
		}
	}
	_ = syscall.Kill(pid, syscall.SIGINT)
	_ = d.run.Wait()
}

func (d *daemon) pid() int { return d.run.Process.Pid }

// patience is how long a row waits for what has to come.
const patience = 20 * time.Second

// shows waits until deskbell shows n sessions.
func (d *daemon) shows(n int) error {
	var s engine.Snapshot
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		answer, err := d.web.Get("http://deskbell/sessions/live")
		if err != nil {
			continue
		}
		err = json.NewDecoder(answer.Body).Decode(&s)
		answer.Body.Close()
		if err == nil && len(s.Sessions) >= n {
			return nil
		}
	}
	return fmt.Errorf("%d sessions of %d are shown", len(s.Sessions), n)
}

// change is one of the stream, and when it was heard.
type change struct {
	at   time.Time
	from string
	engine.Session
}

// follow hears the stream until ctx is done.
func (d *daemon) follow(ctx context.Context) (<-chan change, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://deskbell/sessions/live/stream", nil)
	if err != nil {
		return nil, err
	}
	answer, err := d.web.Do(r)
	if err != nil {
		return nil, err
	}
	out := make(chan change, 1<<16)
	lines := bufio.NewReaderSize(answer.Body, 1<<20)
	for { // the snapshot comes first
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if line == "\n" {
			break
		}
	}
	go func() {
		defer answer.Body.Close()
		defer close(out)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			at := time.Now()
			body, is := strings.CutPrefix(line, "data: ")
			var c struct {
				From    string         `json:"from"`
				Session engine.Session `json:"session"`
			}
			if is && json.Unmarshal([]byte(body), &c) == nil {
				out <- change{at, c.From, c.Session}
			}
		}
	}()
	return out, nil
}

// await waits for a change of the session to one of these statuses.
func await(changes <-chan change, id string, to ...engine.Status) (time.Time, error) {
	end := time.After(patience)
	for {
		select {
		case c, ok := <-changes:
			if !ok {
				return time.Time{}, errors.New("the stream ended")
			}
			for _, s := range to {
				if c.SessionID == id && c.Status == s && c.from != s.String() {
					return c.at, nil
				}
			}
		case <-end:
			return time.Time{}, fmt.Errorf("session %s did not become %v", id, to)
		}
	}
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

// field is a number of a file in /proc that has a name in front.
func field(pid int, file, name string) (n int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	for line := range strings.Lines(string(text)) {
		if rest, is := strings.CutPrefix(line, name+":"); is {
			n, _ = strconv.Atoi(strings.Fields(rest)[0])
		}
	}
	return n
}

// rss is what of pid is in memory, in MB.
func rss(pid int) float64 { return float64(field(pid, "status", "VmRSS")) / 1e3 }
