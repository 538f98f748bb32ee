package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"deskbell/testdata/bus"
	"deskbell/testdata/real/llm"
)

// world is all that runs during one scenario.
type world struct {
	places
	hooking
	cli, deskbell string
	api           string
	log           *journal
	term          terminal
	bell          *bell
	tape          *recorder
	notes         *notices
	panes         map[string]*pane
	marks         map[string]time.Time // when a labelled step happened
	ctx           context.Context
	runs          []chan struct{} // CLIs without a terminal, until they end
}

// pane is one CLI in a terminal.
type pane struct {
	name string
	pid  int
	film *film
}

// build starts everything a scenario needs but the CLI.
func build(ctx context.Context, root string, t *tool, cli, deskbell, hooks, asking string, s *scenario) (*world, error) {
	w := &world{cli: cli, deskbell: deskbell, ctx: ctx, panes: map[string]*pane{}, marks: map[string]time.Time{}}
	log, err := openJournal(filepath.Join(root, "timeline.txt"))
	if err != nil {
		return nil, err
	}
	w.log = log
	if w.api, err = (llm.Server{Log: func(line string) { w.log.now("API", "%s", line) }}).Listen(); err != nil {
		return nil, err
	}
	p, err := furnish(root, asking, w.api, t, s)
	if err != nil {
		return nil, err
	}
	w.places = p
	if w.hooking, err = p.install(hooks, cli, deskbell); err != nil {
		return nil, err
	}
	if w.term, err = newTerminal(root); err != nil {
		return nil, err
	}
	session := bus.At(root)
	if err := session.Start(); err != nil {
		return nil, fmt.Errorf("session bus: %w", err)
	}
	context.AfterFunc(ctx, session.Stop)
	if w.notes, err = serveNotices(session.Addr, w.log); err != nil {
		return nil, fmt.Errorf("notification daemon: %w", err)
	}
	w.bell, err = startBell(ctx, deskbell, p.bellEnv(session.Addr), root, w.log)
	if err != nil {
		return nil, err
	}
	if w.tape, err = startRecord(deskbell, p.bellEnv(session.Addr), root); err != nil {
		return nil, err
	}
	go w.watchFiles()
	return w, nil
}

// sessionFile is what a session file of the CLI says of itself.
type sessionFile struct {
	PID       int    `json:"pid"`
	SessionID string `json:"sessionId"`
	Status    string `json:"status"`
	Waiting   string `json:"waitingFor"`
	Kind      string `json:"kind"`
}

func (w *world) readSession(path string) (f sessionFile, ok bool) {
	in, err := os.Open(path)
	if err != nil {
		return f, false
	}
	defer in.Close()
	// It is written in place: what follows the first value is left over.
	return f, json.NewDecoder(in).Decode(&f) == nil
}

// watchFiles puts what the session files say into the journal, so that a failure
// shows what there was to see. The verdict does not rest on it.
func (w *world) watchFiles() {
	said := map[string]sessionFile{}
	every(w.ctx, 15*time.Millisecond, func() {
		paths, _ := filepath.Glob(filepath.Join(w.Home, ".claude", "sessions", "*"))
		for _, path := range paths {
			f, ok := w.readSession(path)
			if before, known := said[path]; known && (f == before || !ok) {
				continue
			}
			said[path] = f
			name := filepath.Base(path)
			if strings.HasSuffix(name, ".json") {
				w.log.now("FILE", "%s %s %s %s %s", name, f.Kind, f.SessionID, f.Status, f.Waiting)
			} else {
				w.log.now("FILE", "%.12s…", name)
			}
		}
		for path := range said {
			if _, err := os.Lstat(path); err != nil {
				delete(said, path)
				w.log.now("FILE", "%.12s removed", filepath.Base(path))
			}
		}
	})
}

// session returns the session id of the CLI in a pane.
func (w *world) session(name string) string {
	p := w.panes[name]
	if p == nil {
		return ""
	}
	f, _ := w.readSession(filepath.Join(w.Home, ".claude", "sessions", fmt.Sprintf("%d.json", p.pid)))
	return f.SessionID
}
