package terminal

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// tmux prints these of every pane and client. Without -u it would spoil the names, and
// at all times tabs. A pane is listed once for each session that has its window.
const (
	tmuxPane   = "pane|#{pid}|#{pane_id}|#{pane_tty}|#{pane_pid}|#{session_id}|#{window_id}|#{window_active}|#{pane_active}|#{session_name}"
	tmuxClient = "client|#{client_tty}|#{client_pid}|#{session_id}|#{client_activity}|#{client_control_mode}"
)

// tmux is a server and what is in it now.
type tmux struct {
	socket  string
	panes   []tmuxListed
	clients []tmuxViewer
}

// tmuxListed is a pane of a session.
type tmuxListed struct {
	server          int
	id, tty         string
	pid             int
	session, window string
	current, active bool // its window is that of the session, it is that of its window
	name            string
}

// tmuxViewer is a terminal that shows a session.
type tmuxViewer struct {
	tty     string
	pid     int
	session string
	used    int64 // when somebody typed there, in seconds
}

// askTmux lists what the server of p has. Names of a server that is gone are not looked
// up in the one that took its socket over.
func askTmux(ctx context.Context, t *Terminals, p Pane) (tmux, error) {
	socket, rest, _ := strings.Cut(p.variable("TMUX"), ",")
	pid, _, _ := strings.Cut(rest, ",")
	server, err := strconv.Atoi(pid)
	if socket == "" || err != nil {
		return tmux{}, blocked("it runs in a tmux that it does not name: attach to that yourself")
	}
	text, err := t.run(ctx, nil, "tmux", "-u", "-S", socket, "list-panes", "-a", "-F", tmuxPane, ";", "list-clients", "-F", tmuxClient)
	if err != nil {
		return tmux{}, fmt.Errorf("its tmux does not answer, attach to it yourself: %w", err)
	}
	m := readTmux(text)
	m.socket = socket
	m.panes = slices.DeleteFunc(m.panes, func(l tmuxListed) bool { return l.server != server })
	if len(m.panes) == 0 {
		return m, blocked("its tmux server (pid %d) is gone and another one has its place: look for the session yourself", server)
	}
	return m, nil
}

// readTmux reads what tmux printed. A line that makes no sense is left out.
func readTmux(text string) (m tmux) {
	for line := range strings.Lines(text) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "|")
		switch kind {
		case "pane":
			f := strings.SplitN(rest, "|", 9)
			if len(f) == 9 {
				m.panes = append(m.panes, tmuxListed{
					server: number(f[0]), id: f[1], tty: f[2], pid: number(f[3]), session: f[4], window: f[5],
					current: f[6] == "1", active: f[7] == "1", name: f[8],
				})
			}
		case "client":
			f := strings.Split(rest, "|")
			if len(f) == 5 && f[4] != "1" { // one in control mode shows the panes in its own way
				m.clients = append(m.clients, tmuxViewer{tty: f[0], pid: number(f[1]), session: f[2], used: int64(number(f[3]))})
			}
		}
	}
	return m
}

// number is 0 for what is none.
func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// where lists the pane that p is, once for each session that has it. It is the one with
// p's terminal, or the one whose shell p descends from: its id alone proves nothing.
func (m tmux) where(p Pane) []tmuxListed {
	var on, in []tmuxListed
	for _, l := range m.panes {
		if l.tty == p.TTY && p.TTY != "" {
			on = append(on, l)
		}
		if p.under(l.pid) {
			in = append(in, l)
		}
	}
	if len(on) > 0 {
		return on
	}
	return in
}

// viewersOf are the clients of a session.
func (m tmux) viewersOf(session string) (out []tmuxViewer) {
	for _, c := range m.clients {
		if c.session == session {
			out = append(out, c)
		}
	}
	return out
}

func findTmux(ctx context.Context, t *Terminals, p Pane) (spot, error) {
	m, err := askTmux(ctx, t, p)
	if err != nil {
		return spot{}, err
	}
	at := m.where(p)
	if len(at) == 0 {
		return spot{}, blocked("no pane of its tmux has its terminal %s any more: look for the session yourself", p.TTY)
	}
	s := spot{shown: len(m.clients) == 0} // nobody sees any of it, or somebody may
	for _, l := range at {
		if !l.current || !l.active {
			continue
		}
		for _, c := range m.viewersOf(l.session) {
			s.shown = true
			viewer, _ := t.Find(c.pid) // of one that is gone nothing is known
			s.viewers = append(s.viewers, viewer)
		}
	}
	s.bring = func(ctx context.Context) (*Pane, error) { return m.bring(ctx, t, at) }
	return s, nil
}

// bring selects the pane and returns the terminal that shows it.
func (m tmux) bring(ctx context.Context, t *Terminals, at []tmuxListed) (*Pane, error) {
	l, c, why := m.choose(at)
	var argv []string
	then := func(words ...string) {
		if len(argv) > 0 {
			argv = append(argv, ";")
		}
		argv = append(argv, words...)
	}
	if why == nil && c.session != l.session {
		then("switch-client", "-c", c.tty, "-t", l.session)
	}
	if !l.current {
		then("select-window", "-t", l.session+":"+l.window)
	}
	if !l.active {
		then("select-pane", "-t", l.id)
	}
	if len(argv) > 0 {
		if _, err := t.run(ctx, nil, append([]string{"tmux", "-u", "-S", m.socket}, argv...)...); err != nil {
			return nil, fmt.Errorf("its tmux did not go there, attach to it yourself: %w", err)
		}
	}
	if why != nil {
		return nil, &Blocked{why.Error(), m.attach(l.name)}
	}
	viewer, ok := t.Find(c.pid)
	if !ok {
		return nil, &Blocked{"the terminal its tmux was shown in has just gone", m.attach(l.name)}
	}
	return &viewer, nil
}

// choose tells in which session the pane is gone to, and by which client: one that has
// it already, else the one that was used last.
func (m tmux) choose(at []tmuxListed) (l tmuxListed, c tmuxViewer, why error) {
	candidates, there := m.clients, false
	for _, one := range at {
		if own := m.viewersOf(one.session); len(own) > 0 {
			if !there {
				candidates, there = nil, true
			}
			candidates = append(candidates, own...)
		}
	}
	if len(candidates) == 0 {
		return at[0], c, blocked("its tmux session %q is shown in no terminal", at[0].name)
	}
	slices.SortStableFunc(candidates, func(a, b tmuxViewer) int { return int(b.used - a.used) })
	c = candidates[0]
	l = at[0]
	for _, one := range at {
		if one.session == c.session {
			l = one
		}
	}
	if len(candidates) > 1 && candidates[1].used == c.used {
		return l, c, blocked("%d terminals show its tmux, and none was used last: go to one of them", len(candidates))
	}
	return l, c, nil
}

// attach is the command that shows a session.
func (m tmux) attach(name string) string {
	if filepath.Base(m.socket) == "default" {
		return quoted("tmux", "attach", "-t", name)
	}
	return quoted("tmux", "-S", m.socket, "attach", "-t", name)
}
