package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// event is one event of the stream.
type event struct {
	name string
	data []byte // a JSON object
}

// stop is an error of the one who takes the events: the stream is not to blame.
type stop struct{ error }

const (
	soon = 100 * time.Millisecond // until the first try to get back
	late = 5 * time.Second        // between two tries at last
)

// follow hands every event of the stream at path to take, in order, until ctx is
// done or take fails. When deskbell goes away, link is told why and it is tried
// again, slower each time; link(nil) tells that it is back. What was missed comes
// then, or else a new snapshot.
func (c client) follow(ctx context.Context, path string, take func(event) error, link func(error)) error {
	var last string // id of the last event
	wait := soon
	for begun := false; ; {
		err := c.stream(ctx, path, &last, func() {
			if begun {
				link(nil)
			}
		}, func(e event) error {
			begun, wait = true, soon
			if err := take(e); err != nil {
				return stop{err}
			}
			return nil
		})
		var s stop
		switch {
		case errors.As(err, &s):
			return s.error
		case ctx.Err() != nil:
			return nil
		case !begun:
			return err
		}
		link(err)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		wait = min(2*wait, late)
	}
}

// stream reads one connection to its end. open is told when there is one.
func (c client) stream(ctx context.Context, path string, last *string, open func(), take func(event) error) error {
	header := http.Header{"Accept": {"text/event-stream"}}
	if *last != "" {
		header.Set("Last-Event-ID", *last)
	}
	answer, err := c.open(ctx, http.MethodGet, path, header)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	open()
	lines := bufio.NewReader(answer.Body)
	var e event
	var id string
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("it went away: %w", err)
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			if len(e.data) > 0 {
				if err := take(e); err != nil {
					return err
				}
				*last = id
			}
			e = event{}
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			e.name = string(value)
		case "id":
			id = string(value)
		case "data":
			e.data = value
		}
	}
}
