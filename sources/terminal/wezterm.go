package terminal

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
)

// wezPane is a pane as `wezterm cli list` tells it. tty_name came in 2023.
type wezPane struct {
	ID  int    `json:"pane_id"`
	TTY string `json:"tty_name"`
}

// wezClient is a window system's side of WezTerm, as `wezterm cli list-clients` tells it.
type wezClient struct {
	PID     int  `json:"pid"`
	Focused *int `json:"focused_pane_id"`
}

// wezterm asks the WezTerm that p's variables name.
func wezterm(ctx context.Context, t *Terminals, p Pane, args ...string) (string, error) {
	var env []string
	if socket := p.variable("WEZTERM_UNIX_SOCKET"); socket != "" {
		env = append(env, "WEZTERM_UNIX_SOCKET="+socket)
	}
	text, err := t.run(ctx, env, append([]string{"wezterm", "cli", "--no-auto-start"}, args...)...)
	if err != nil {
		return "", fmt.Errorf("its WezTerm does not answer, go there yourself: %w", err)
	}
	return text, nil
}

func findWezTerm(ctx context.Context, t *Terminals, p Pane) (spot, error) {
	var panes []wezPane
	var clients []wezClient
	for _, ask := range []struct {
		command string
		into    any
	}{{"list", &panes}, {"list-clients", &clients}} {
		text, err := wezterm(ctx, t, p, ask.command, "--format", "json")
		if err != nil {
			return spot{}, err
		}
		if err := json.Unmarshal([]byte(text), ask.into); err != nil {
			return spot{}, fmt.Errorf("its WezTerm answers what makes no sense, go there yourself: %w", err)
		}
	}
	id, ok := wezWhere(panes, p)
	if !ok {
		return spot{}, blocked("no pane of its WezTerm has its terminal %s: look for the session yourself", p.TTY)
	}
	var s spot
	for _, c := range clients {
		viewer, _ := t.Find(c.PID)
		viewer.told, viewer.any = true, true
		if c.Focused != nil && *c.Focused == id {
			s.shown = true
			s.viewers = append(s.viewers, viewer)
		}
	}
	s.bring = func(ctx context.Context) (*Pane, error) {
		if len(clients) != 1 {
			return nil, blocked("%d WezTerms show it: go to one of them", len(clients))
		}
		if _, err := wezterm(ctx, t, p, "activate-pane", "--pane-id", strconv.Itoa(id)); err != nil {
			return nil, err
		}
		viewer, _ := t.Find(clients[0].PID)
		viewer.told = true
		return &viewer, nil
	}
	return s, nil
}

// wezWhere finds p's pane by its terminal: the number that p knows may be that of another
// WezTerm.
func wezWhere(panes []wezPane, p Pane) (id int, ok bool) {
	for _, one := range panes {
		if one.TTY != "" && one.TTY == p.TTY {
			return one.ID, true
		}
	}
	return 0, false
}
