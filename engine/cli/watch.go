package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"deskbell/engine"
)

// watch follows the stream until it is interrupted.
func (s statusCmd) watch(ctx context.Context, c client, in Env) error {
	if s.JSON {
		return s.watchJSON(ctx, c, in)
	}
	return s.watchLines(ctx, c, in)
}

// events hands on the stream as the flags ask for it.
func (s statusCmd) events(ctx context.Context, c client, take func(event) error, link func(error)) error {
	var v sieve
	return c.follow(ctx, s.path("/sessions/live/stream"), func(e event) error {
		if !s.Shared {
			return take(e)
		}
		e, ok, err := v.pass(e)
		if err != nil || !ok {
			return err
		}
		return take(e)
	}, link)
}

// watchJSON prints each event as a line, in one write.
func (s statusCmd) watchJSON(ctx context.Context, c client, in Env) error {
	lost := false
	return s.events(ctx, c, func(e event) error {
		line := fmt.Appendf(nil, `{"event":%q,`, e.name)
		return put(in.Stdout, append(line, e.data[1:]...)) // data is an object with fields
	}, func(err error) {
		if err != nil && !lost {
			fmt.Fprintf(in.Stderr, "deskbell: %s; waiting for it to come back\n", err)
		}
		lost = err != nil
	})
}

// news is what the drawing is told: a state, or that there is none to be had.
type news struct {
	snap engine.Snapshot
	away bool
}

// watchLines draws the state, and draws it again whenever it looks different.
func (s statusCmd) watchLines(ctx context.Context, c client, in Env) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in.Context = ctx
	updates := make(chan news)
	tell := func(n news) {
		select {
		case updates <- n:
		case <-ctx.Done():
		}
	}
	var wg sync.WaitGroup
	var failure error
	wg.Go(func() {
		defer close(updates)
		b := board{all: s.All}
		failure = s.events(ctx, c, func(e event) error {
			if err := b.apply(e); err != nil {
				return err
			}
			tell(news{snap: b.snapshot()})
			return nil
		}, func(err error) { tell(news{snap: b.snapshot(), away: err != nil}) })
	})
	err := draw(updates, in)
	cancel()
	wg.Wait()
	if err != nil {
		return err
	}
	return failure
}

// draw shows what it is told until updates is closed.
func draw(updates <-chan news, in Env) (err error) {
	n, more := <-updates
	if !more {
		return nil
	}
	p := painter{in: in, full: in.output().terminal}
	if err := p.begin(); err != nil {
		return err
	}
	defer func() {
		if e := p.end(); err == nil {
			err = e
		}
	}()
	sizes := make(chan os.Signal, 1)
	resized(sizes)
	defer signal.Stop(sizes)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		now := in.Now()
		if err := p.show(n, now); err != nil {
			return err
		}
		timer.Reset(p.until(n, now))
		select {
		case n, more = <-updates:
			if !more {
				return nil
			}
		case <-sizes:
		case <-timer.C:
		}
	}
}

// painter puts drawings on a terminal, each over the last, or one below the other
// where the output is none.
type painter struct {
	in   Env
	full bool
	last string
}

func (p *painter) begin() error {
	if !p.full {
		return nil
	}
	return p.write("\x1b[?1049h\x1b[?25l\x1b[2J")
}

func (p *painter) end() error {
	if !p.full {
		return nil
	}
	return p.write("\x1b[?25h\x1b[?1049l")
}

func (p *painter) write(s string) error {
	if _, err := p.in.Stdout.Write([]byte(s)); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	return nil
}

// show draws n. All of it is one write between the marks that hold the terminal's
// own drawing back, and no line is empty on the way: nothing flickers.
func (p *painter) show(n news, now time.Time) error {
	out := p.in.output()
	lines := table(n.snap, now, out)
	if p.full {
		lines = fit(lines, out.height)
	}
	if n.away {
		note := gap + "deskbell is away; waiting for it to come back"
		if out.width > 0 {
			note = cut(note, out.width)
		}
		lines[len(lines)-1] = note // what it counted is no longer known to be so
	}
	if !p.full {
		text := strings.Join(lines, "\n") + "\n"
		if text == p.last {
			return nil
		}
		p.last = text
		return p.write(text + "\n")
	}
	return p.write("\x1b[?2026h\x1b[H" + strings.Join(lines, "\x1b[K\r\n") + "\x1b[K\x1b[J\x1b[?2026l")
}

// fit leaves out rows that a screen of that height has no line for.
func fit(lines []string, height int) []string {
	over := len(lines) - height
	if over <= 0 || height < 3 {
		return lines[max(0, over):]
	}
	over++ // for the line that tells
	rows := height - 2
	short := append(lines[:rows:rows], fmt.Sprintf("%s… %d more", gap, over))
	return append(short, lines[rows+over:]...)
}

// until is how long the drawing stays true: until an age reads differently. Output
// that goes to a file is no clock.
func (p *painter) until(n news, now time.Time) time.Duration {
	next := time.Hour
	for _, s := range n.snap.Sessions {
		if p.full {
			next = min(next, turns(ago(now, s.Since)))
		}
	}
	return next
}

// turns is how long it takes until an age of d reads differently.
func turns(d time.Duration) time.Duration {
	for _, s := range scale {
		if d >= s.unit {
			return s.unit - d%s.unit
		}
	}
	return time.Second - d
}
