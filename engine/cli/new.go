package cli

import (
	"path/filepath"

	"deskbell/engine"
)

type newCmd struct {
	Tool  string `placeholder:"TOOL" help:"Which one; without it the first that is installed."`
	Room  string `placeholder:"ROOM" help:"The room it is put in."`
	Label string `placeholder:"LABEL" help:"The label it is given."`
	Dir   string `arg:"" help:"The folder it works in."`
}

// Help is shown below the usage.
func (newCmd) Help() string {
	return "Opens a terminal window in the folder with the tool in it. Which terminal is told by `[terminal] command` in the configuration, else by $TERMINAL and by what is installed. When the tool has ended your shell goes on there."
}

// Run opens a session.
func (n newCmd) Run(in Env) error {
	ctx, cancel := in.begin()
	defer cancel()
	dir, err := filepath.Abs(n.Dir)
	if err != nil {
		return err
	}
	body := map[string]any{"tool": n.Tool, "dir": dir, "room": n.Room, "label": n.Label}
	var s engine.Session
	if err := in.dial().post(ctx, "/sessions", body, &s); err != nil {
		return err
	}
	return put(in.Stdout, []byte(clean(string(s.ID)+" is opened in "+s.Dir)))
}
