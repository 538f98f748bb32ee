//go:build !windows && !darwin

package terminal

import (
	"errors"
	"os/exec"
)

var errNoDisplay = errors.New("deskbell has no display, and can open no window")

// opens is the command line that opens w.
func (t *Terminals) opens(w Window) ([]string, error) {
	if t.getenv("DISPLAY") == "" && t.getenv("WAYLAND_DISPLAY") == "" {
		return nil, errNoDisplay
	}
	return choose(w, t.getenv, exec.LookPath)
}
