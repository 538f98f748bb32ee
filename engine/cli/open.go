package cli

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"deskbell/engine"
)

type openCmd struct {
	Session string `arg:"" help:"Its id, the beginning of the tool's session id, or a part of title or project."`
}

// Help is shown below the usage.
func (openCmd) Help() string {
	return "Brings the terminal that the session runs in to the front, and in it its tab or pane. Where that cannot be done it says why, and what to do."
}

// Run goes to one session.
func (o openCmd) Run(in Env) error {
	c := in.dial()
	ctx, cancel := in.begin()
	defer cancel()
	s, err := c.find(ctx, o.Session)
	if err != nil {
		return err
	}
	return c.act(ctx, s.ID, "open")
}

type nextCmd struct{}

// Help is shown below the usage.
func (nextCmd) Help() string {
	return "Goes to the session that has to be seen to first, as `deskbell status` lists them, leaving out those that are muted. Good for a hotkey."
}

// Run goes to the next session.
func (nextCmd) Run(in Env) error {
	c := in.dial()
	ctx, cancel := in.begin()
	defer cancel()
	body, err := c.get(ctx, "/sessions/live")
	if err != nil {
		return err
	}
	var snap engine.Snapshot
	if err := decode(body, &snap); err != nil {
		return err
	}
	s, ok := engine.Next(snap.Sessions)
	if !ok {
		return errors.New("no session needs you")
	}
	return c.act(ctx, s.ID, "open")
}

// act has the running deskbell carry out an act on a session.
func (c client) act(ctx context.Context, id engine.ID, act string) error {
	answer, err := c.open(ctx, http.MethodPost, "/sessions/"+url.PathEscape(string(id))+"/"+act, nil)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}
