package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"sync"
	"time"

	"deskbell/engine"
)

const (
	errand  = 10 * time.Second // a command may take so long
	backlog = 64               // what is kept for one that is slow
	heard   = 4 << 10          // bytes of what it says on its standard error
	linger  = time.Second      // what it started may keep its standard error open so long
)

// Errand is what a command reads on its standard input, one JSON object: the notice, and
// what becomes of it. A notice that is withdrawn is given as it was raised last.
type Errand struct {
	Event string `json:"event"` // raise or withdraw
	Notice
}

// Command hands each notice to a program of the user's, one after the other. A nil
// Command does nothing.
type Command struct {
	say   func(string)
	limit time.Duration
	wake  chan struct{}

	mu    sync.Mutex
	argv  []string             // guarded by mu; empty: there is none
	queue []Errand             // guarded by mu
	up    map[engine.ID]Notice // guarded by mu: what was raised
	said  map[string]bool      // guarded by mu
}

// NewCommand makes a command that is argv: a program and its arguments, which no shell
// reads. Nothing runs before [Command.Run]. Say is told what goes wrong, once each.
func NewCommand(argv []string, say func(string)) *Command {
	return &Command{argv: argv, say: say, limit: errand, wake: make(chan struct{}, 1), up: map[engine.ID]Notice{}, said: map[string]bool{}}
}

// Use makes argv the command from now on; empty: none.
func (c *Command) Use(argv []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Equal(c.argv, argv) {
		c.argv = slices.Clone(argv)
		clear(c.said)
	}
}

// Tell wants the program to know. It returns at once.
func (c *Command) Tell(raise []Notice, withdraw []engine.ID) {
	if c == nil {
		return
	}
	c.mu.Lock()
	for _, id := range withdraw {
		if n, ok := c.up[id]; ok {
			n.Silent, n.Sound, n.Replaces = false, false, false
			c.putLocked(Errand{"withdraw", n})
			delete(c.up, id)
		}
	}
	for _, n := range raise {
		n.At = n.At.UTC()
		c.up[n.ID] = n
		c.putLocked(Errand{"raise", n})
	}
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// putLocked puts e in line. Where that is too long, what was raised first is left out:
// that something is over must not be missed.
func (c *Command) putLocked(e Errand) {
	if len(c.argv) == 0 {
		return
	}
	if len(c.queue) >= backlog {
		i := max(0, slices.IndexFunc(c.queue, func(e Errand) bool { return e.Event == "raise" }))
		c.queue = slices.Delete(c.queue, i, i+1)
		c.tellLocked("it is slower than notices come, some are left out")
	}
	c.queue = append(c.queue, e)
}

func (c *Command) next() (e Errand, argv []string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		return e, nil, false
	}
	e = c.queue[0]
	c.queue = slices.Delete(c.queue, 0, 1)
	return e, c.argv, len(c.argv) > 0
}

// Run runs the program for what is in line until ctx is done.
func (c *Command) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.wake:
		}
		for e, argv, ok := c.next(); ok && ctx.Err() == nil; e, argv, ok = c.next() {
			if err := c.run(ctx, argv, e); err != nil && ctx.Err() == nil {
				c.mu.Lock()
				if slices.Equal(argv, c.argv) { // else it is the command no more
					c.tellLocked(err.Error())
				}
				c.mu.Unlock()
			}
		}
	}
}

// run runs argv once. Who takes too long is ended with all it started.
func (c *Command) run(ctx context.Context, argv []string, e Errand) error {
	in, err := json.Marshal(e)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.WaitDelay = linger
	cmd.Stdin = bytes.NewReader(append(in, '\n'))
	var said head
	cmd.Stderr = &said
	started, over := pack(cmd)
	defer over()
	if err = cmd.Start(); err == nil {
		started()
		err = cmd.Wait()
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(said), []byte("\n"))
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("it took longer than %v and was ended", c.limit)
	case len(first) == 0:
		return err
	}
	return fmt.Errorf("%w: %s", err, first)
}

// head keeps the beginning of what is written.
type head []byte

func (h *head) Write(p []byte) (int, error) {
	*h = append(*h, p[:min(len(p), heard-len(*h))]...)
	return len(p), nil
}

// tellLocked says what is wrong, once.
func (c *Command) tellLocked(what string) {
	what = "notify.command: " + cut(clean(what), 2*maxBody)
	if c.say != nil && !c.said[what] && len(c.said) < backlog {
		c.said[what] = true
		c.say(what)
	}
}
