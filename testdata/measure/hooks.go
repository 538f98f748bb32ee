//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"deskbell/engine"
	"deskbell/sources/hooks/client"
)

func median[T ~int64](all []T) T { return at(all, 50) }

func at[T ~int64](all []T, percent int) T {
	s := slices.Sorted(slices.Values(all))
	return s[min(len(s)*percent/100, len(s)-1)]
}

func (b *bench) size() (string, bool, error) {
	info, err := os.Stat(b.bin)
	if err != nil {
		return "", false, err
	}
	return fmt.Sprintf("%.1f MB", float64(info.Size())/1e6), info.Size() <= 20e6, nil
}

// bare starts deskbell on sessions whose hooks alone tell what they do.
func (b *bench) bare(n int) (*daemon, error) {
	w, err := newWorld()
	if err != nil {
		return nil, err
	}
	w.bare = true
	return b.start(w, n)
}

// call runs the hook client as the CLI of s would.
func (b *bench) call(d *daemon, s *session, event string) *exec.Cmd {
	c := &exec.Cmd{Path: b.bin, Args: []string{"deskbell-hook", "claude"}, Dir: s.dir}
	c.Env = append(d.env(), fmt.Sprint("CLAUDE_PID=", s.process.Process.Pid))
	c.Stdin = strings.NewReader(s.payload(event, ""))
	return c
}

func (s *session) payload(event, more string) string {
	return fmt.Sprintf(`{"hook_event_name":%q,"session_id":%q,"cwd":%q%s}`, event, s.id, s.dir, more)
}

// calls is how often a program is run to say what it takes.
const calls = 200

// hook compares a call of the client with one of a program that does nothing. They take
// turns.
func (b *bench) hook() (string, bool, error) {
	d, err := b.bare(1)
	if err != nil {
		return "", false, err
	}
	defer d.end()
	var wall, nothing, spent []time.Duration
	for range calls {
		for _, c := range []*exec.Cmd{b.call(d, d.sessions[0], "PostToolUse"), {Path: b.empty, Env: d.env(), Stdin: strings.NewReader("{}")}} {
			began := time.Now()
			if err := c.Run(); err != nil {
				return "", false, err
			}
			took := time.Since(began)
			if c.Path == b.empty {
				nothing = append(nothing, took)
				continue
			}
			wall = append(wall, took)
			spent = append(spent, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
		}
	}
	ratio := float64(median(wall)) / float64(median(nothing))
	return fmt.Sprintf("%.2f x (%.1f ms), %.1f ms CPU", ratio, ms(median(wall)), ms(median(spent))), ratio <= 2 && median(spent) <= 4*time.Millisecond, nil
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

// transition times prompts and ends of turns, from the start of the client to the change
// on the stream.
func (b *bench) transition() (string, bool, error) {
	d, err := b.bare(20)
	if err != nil {
		return "", false, err
	}
	defer d.end()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	changes, err := d.follow(ctx)
	if err != nil {
		return "", false, err
	}
	var took []time.Duration
	for i := range calls {
		s := d.sessions[i%len(d.sessions)]
		for _, turn := range []struct {
			event string
			to    engine.Status
		}{{"UserPromptSubmit", engine.Prompting}, {"Stop", engine.Waiting}} {
			began := time.Now()
			if err := b.call(d, s, turn.event).Run(); err != nil {
				return "", false, err
			}
			heard, err := await(changes, s.id, turn.to)
			if err != nil {
				return "", false, err
			}
			took = append(took, heard.Sub(began))
		}
	}
	return fmt.Sprintf("p50 %.1f ms, p95 %.1f ms, with the start of the client", ms(median(took)), ms(at(took, 95))),
		median(took) <= 5*time.Millisecond && at(took, 95) <= 10*time.Millisecond, nil
}

// events is how many the flood has.
const events = 100_000

// flood sends tool calls of 50 sessions as fast as they are taken, then the end of each
// turn, which is the last that deskbell is to know of it.
func (b *bench) flood() (string, bool, error) {
	const sessions = 50
	d, err := b.bare(sessions)
	if err != nil {
		return "", false, err
	}
	defer d.end()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	changes, err := d.follow(ctx)
	if err != nil {
		return "", false, err
	}
	socket := filepath.Join(d.home, "run", "deskbell", client.SocketName)
	boot := client.BootID()
	var lost atomic.Int64
	before, began := cpu(d.pid()), time.Now()
	var wg sync.WaitGroup
	for _, s := range d.sessions {
		wg.Go(func() {
			send := func(event, more string) {
				f := client.Frame{Tool: "claude", Wall: time.Now().UnixNano(), Boot: client.Boot(), BootID: boot,
					Self: os.Getpid(), PID: s.process.Process.Pid, Payload: []byte(s.payload(event, more))}
				if client.Send(socket, f.Append(nil), int64(time.Second)) != nil {
					lost.Add(1)
				}
			}
			for n := range events / sessions / 2 {
				call := fmt.Sprintf(`,"tool_name":"Bash","tool_use_id":"toolu_%d","tool_input":{"command":"ls"}`, n)
				send("PreToolUse", call)
				send("PostToolUse", call)
			}
			send("Stop", "")
		})
	}
	ended := map[string]bool{}
	for end := time.After(2 * time.Minute); len(ended) < sessions; {
		select {
		case c := <-changes:
			if delete(ended, c.SessionID); c.Status == engine.Waiting {
				ended[c.SessionID] = true
			}
		case <-end:
			return "", false, fmt.Errorf("%d turns of %d ended, %d events were given up", len(ended), sessions, lost.Load())
		}
	}
	took := time.Since(began)
	wg.Wait()
	rate := float64(events) / took.Seconds()
	used := float64(cpu(d.pid())-before) * 1e4 / events
	return fmt.Sprintf("%.0f, %d lost, %.0f us CPU each, with the sender on the same cores", rate, lost.Load(), used), rate >= 20000 && lost.Load() == 0, nil
}
