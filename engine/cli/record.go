package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"deskbell/engine"
)

type recordCmd struct {
	File string `arg:"" help:"Where to write it; what the file holds is kept. - for standard output."`
}

// Help is shown below the usage.
func (recordCmd) Help() string {
	return "A record holds what was seen and when, one JSON object a line, without text of prompts, answers and commands. `deskbell replay` makes statuses of it again."
}

// parting is how long what is on its way is waited for after an interrupt.
const parting = 200 * time.Millisecond

// Run records until it is interrupted.
func (r recordCmd) Run(in Env) error {
	ctx, cancel := in.begin()
	defer cancel()
	asking, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(parting, hangUp) })()
	answer, err := in.dial().open(asking, http.MethodGet, "/record", nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	to, says, name := in.Stdout, in.Stderr, "standard output"
	if r.File != "-" {
		f, err := appendTo(r.File)
		if err != nil {
			return err
		}
		defer f.Close()
		to, says, name = f, in.Stdout, r.File
	}
	fmt.Fprintf(in.Stderr, "recording to %s, until interrupted (Ctrl-C)\n", name)
	n, err := copyLines(to, answer.Body)
	switch {
	case ctx.Err() == nil && err == nil:
		err = errors.New("deskbell went away")
	case ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)):
		err = finish(to, in.Now())
		n++
	}
	if err != nil {
		return fmt.Errorf("the record in %s has %d lines and is not whole: %w", name, n, err)
	}
	fmt.Fprintf(says, "%d lines recorded to %s\n", n, name)
	return nil
}

// finish says until when nothing else was told: a replay lets its clock run so far.
func finish(to io.Writer, now time.Time) error {
	end, err := json.Marshal(engine.Line{Event: engine.Event{At: now, By: engine.Clock}})
	if err != nil {
		return err
	}
	return put(to, end)
}

// appendTo opens a file to write at its end, on a line of its own.
func appendTo(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	last := make([]byte, 1)
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		if _, err := f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			if _, err := f.Write([]byte{'\n'}); err != nil {
				f.Close()
				return nil, err
			}
		}
	}
	return f, nil
}

// copyLines writes each whole line of from to to, as soon as there is no other. A line
// that is an error ends it.
func copyLines(to io.Writer, from io.Reader) (n int, err error) {
	in, out := bufio.NewReaderSize(from, 64<<10), bufio.NewWriterSize(to, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		switch {
		case err != nil:
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return n, errors.Join(out.Flush(), err)
		case bytes.HasPrefix(line, []byte(`{"error"`)):
			var says struct {
				Error string `json:"error"`
			}
			if err := json.Unmarshal(line, &says); err != nil {
				return n, errors.Join(out.Flush(), err)
			}
			return n, errors.Join(out.Flush(), errors.New(says.Error))
		}
		if _, err := out.Write(line); err != nil {
			return n, fmt.Errorf("output: %w", err)
		}
		n++
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return n, fmt.Errorf("output: %w", err)
			}
		}
	}
}
