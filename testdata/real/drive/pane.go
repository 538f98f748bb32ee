package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// terminal is a private tmux server; each pane is one session of it.
type terminal struct {
	dir string
	env []string
}

func newTerminal(dir string) (terminal, error) {
	t := terminal{dir: dir, env: []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "HOME=" + dir, "SHELL=/bin/bash", "TMUX_TMPDIR=" + dir, "TERM=xterm-256color"}}
	return t, os.WriteFile(filepath.Join(dir, "tmux.conf"), []byte("set -g remain-on-exit on\n"), 0o644)
}

func (t terminal) tmux(args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-L", "real", "-f", filepath.Join(t.dir, "tmux.conf")}, args...)...)
	cmd.Env, cmd.Dir = t.env, t.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("tmux %s: %w: %s", args[0], err, out)
	}
	return strings.TrimRight(string(out), "\n"), nil
}

// open runs a program in a new pane, with nothing in its environment but env and
// what tmux adds, and returns its pid.
func (t terminal) open(pane, dir string, env []string, argv ...string) (int, error) {
	script := `cd "$1" && shift && exec env -i TMUX="$TMUX" TMUX_PANE="$TMUX_PANE" "$@"`
	args := append([]string{"new-session", "-d", "-s", pane, "-x", "120", "-y", "40", "bash", "-c", script, "pane", dir}, env...)
	if _, err := t.tmux(append(args, argv...)...); err != nil {
		return 0, err
	}
	out, err := t.tmux("display-message", "-p", "-t", pane, "#{pane_pid}")
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(out)
}

func (t terminal) screen(pane string) (string, error) {
	return t.tmux("capture-pane", "-p", "-t", pane)
}

func (t terminal) keys(pane string, keys ...string) error {
	_, err := t.tmux(append([]string{"send-keys", "-t", pane}, keys...)...)
	return err
}

// watch tells log of every frame a pane shows until ctx ends.
func (t terminal) watch(ctx context.Context, pane string, frames *film) {
	every(ctx, screenEvery, func() {
		at := now()
		if text, err := t.screen(pane); err == nil {
			frames.add(at, text)
		}
	})
}
