package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"deskbell/engine"
)

// Replayed is what a replay has beside the engine.
type Replayed struct {
	World World
	// Plan decides what becomes of the notices, as [engine.Playback.Tick].
	Plan func(now time.Time, step engine.Step) (news []engine.Headline, next time.Time)
}

// World takes in the raw lines of a record, and the header of a recording.
type World interface {
	engine.World
	// Take returns what is told of a line at once.
	Take(now time.Time, line []byte) ([]engine.Event, error)
}

// headline is a notice that would be raised or withdrawn.
type headline struct{ engine.Headline }

func (n headline) String() string {
	var ids []string
	for _, id := range n.IDs {
		ids = append(ids, string(id))
	}
	return fmt.Sprintf("%s %s %s notice (%s) %s", stamp(n.At), strings.Join(ids, ","), n.Notice, n.Kind, clean(n.Title))
}

// transition is a change of a status.
type transition struct {
	At        time.Time      `json:"at"`
	ID        engine.ID      `json:"id"`
	SessionID string         `json:"session_id"`
	From      engine.Status  `json:"from"`
	To        engine.Status  `json:"to"`
	Rule      string         `json:"rule"`
	Weight    engine.Weight  `json:"weight"`
	By        engine.Witness `json:"by"`
	Why       string         `json:"why"`
}

func (t transition) String() string {
	return fmt.Sprintf("%s %s %s -> %s  %s (%s, by %s) %s", stamp(t.At), t.ID, t.From, t.To, t.Rule, t.Weight, t.By, t.Why)
}

func stamp(at time.Time) string { return at.Format(time.RFC3339Nano) }

// Replay is the command replay, for [Env.More].
type Replay struct {
	Replay replayCmd `cmd:"" help:"Feed a record to a fresh engine and print each change of a status. Works without a running deskbell."`
}

type replayCmd struct {
	File string `arg:"" help:"The record, or - for what comes in."`
	JSON bool   `name:"json" help:"Print JSON, one object a line."`

	begin func() Replayed
	stdin io.Reader
}

// NewReplay returns the command replay. begin makes what one replay needs.
func NewReplay(begin func() Replayed, stdin io.Reader) *Replay {
	return &Replay{replayCmd{begin: begin, stdin: stdin}}
}

// Help is shown below the usage.
func (replayCmd) Help() string {
	return "A line that makes no sense is reported with its number and left out; then the exit status is 1. `deskbell rules --facts` lists what lines may say."
}

// Run replays a record.
func (r replayCmd) Run(in Env) error {
	name, from := r.File, r.stdin
	if name == "-" {
		name = "standard input"
	} else {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a folder: name a file that `deskbell record` wrote", name)
		}
		from = f
	}
	out := &printer{to: in.Stdout, json: r.JSON}
	p := newReplay(r.begin(), out.print)
	bad := 0
	n, err := eachLine(from, func(n int, line []byte, err error) error {
		if err == nil {
			err = p.take(line)
		}
		if err != nil {
			bad++
			fmt.Fprintf(in.Stderr, "deskbell: %s line %d: %s\n", name, n, clean(err.Error()))
		}
		return out.err
	})
	if err == nil {
		p.end()
		err = out.flush()
	}
	switch {
	case out.err != nil:
		return out.err
	case err != nil:
		return fmt.Errorf("%s line %d: %w", name, n+1, err)
	case bad == 1:
		return errors.New("one line made no sense")
	case bad > 1:
		return fmt.Errorf("%d of %d lines made no sense", bad, n)
	}
	return nil
}

// printer prints one thing a line.
type printer struct {
	to   io.Writer
	json bool
	err  error
	buf  []byte
}

// held is how much is kept before it is printed.
const held = 32 << 10

func (p *printer) print(v fmt.Stringer) {
	if p.json {
		line, err := json.Marshal(v)
		p.err = errors.Join(p.err, err)
		p.buf = append(p.buf, line...)
	} else {
		p.buf = append(p.buf, v.String()...)
	}
	if p.buf = append(p.buf, '\n'); len(p.buf) > held {
		_ = p.flush() // kept in p.err
	}
}

func (p *printer) flush() error {
	if len(p.buf) > 0 && p.err == nil {
		p.err = put(p.to, p.buf)
	}
	p.buf = p.buf[:0]
	return p.err
}
