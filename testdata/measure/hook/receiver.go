//go:build linux || darwin

package main

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"sync"
	"time"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/hooks"
)

// receiver listens in a runtime folder and tells of every hook, with the session's id.
func receiver(dir string, told func(engine.Event)) (stop func(), err error) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	s := hooks.New(hooks.Options{Socket: hooks.SocketPath(dir), CLIs: []sources.CLI{{
		Name:  "claude",
		Hooks: map[string]func(sources.Hook) ([]engine.Event, error){"*": session},
	}}})
	go func() {
		ended <- s.Run(ctx, func(events ...engine.Event) {
			for _, e := range events {
				told(e)
			}
		})
	}()
	stop = sync.OnceFunc(func() { cancel(); <-ended })
	for until := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		if c, err := net.Dial("unix", hooks.SocketPath(dir)); err == nil {
			c.Close()
			return stop, nil
		}
		if time.Now().After(until) {
			cancel()
			return nil, errors.Join(errors.New("the receiver does not listen"), <-ended)
		}
	}
}

func session(h sources.Hook) ([]engine.Event, error) {
	var p struct {
		ID string `json:"session_id"`
	}
	err := json.Unmarshal(h.Payload, &p)
	return []engine.Event{{Who: engine.Who{ID: p.ID}, Fact: engine.Wrote{}}}, err
}
