package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// hooking is the hooks of deskbell in the settings of the scratch home, for one run.
type hooking struct {
	density string // "": none
	before  []byte // the settings as they were; nil: there were none
	run     func(args ...string) error
}

// install puts the hooks in, as a user would.
func (p places) install(density, cli, deskbell string) (h hooking, err error) {
	h.density = density
	if density == "" {
		return h, nil
	}
	bin := filepath.Join(p.Home, ".local", "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return h, err
	}
	if err := os.Symlink(cli, filepath.Join(p.Home, p.tool.bin)); err != nil { // the installer asks it which hooks it knows
		return h, err
	}
	h.before, _ = os.ReadFile(p.settings()) // most scenarios have none
	h.run = func(args ...string) error {
		c := exec.Command(deskbell, append([]string{"hooks"}, args...)...)
		c.Env = []string{"HOME=" + p.Home, "PATH=" + bin + ":/usr/local/bin:/usr/bin:/bin", "XDG_RUNTIME_DIR=" + p.Run}
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("hooks %s: %v: %s", args[0], err, out)
		}
		return nil
	}
	return h, h.run("install", "--tool", p.tool.name, "--density", density, "--yes")
}

func (p places) settings() string { return filepath.Join(p.Home, p.tool.settings) }

// remove takes the hooks out and tells what is not as it was before.
func (p places) remove(h hooking) (wrong []string) {
	if h.density == "" {
		return nil
	}
	if err := h.run("uninstall", "--tool", p.tool.name, "--yes"); err != nil {
		return []string{err.Error()}
	}
	after, err := os.ReadFile(p.settings())
	if h.before == nil && err == nil || h.before != nil && !bytes.Equal(after, h.before) {
		wrong = append(wrong, fmt.Sprintf("the settings are not as it was before the hooks: %q", after))
	}
	if n := daemons(); n != 1 {
		wrong = append(wrong, fmt.Sprintf("%d deskbells run, a hook must never start one", n))
	}
	return wrong
}

// daemons counts the deskbells that run without a command, by what the cage shows.
func daemons() (n int) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, line := range lines {
		text, _ := os.ReadFile(line)
		if args := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00"); len(args) == 1 && strings.HasPrefix(filepath.Base(args[0]), "deskbell") {
			n++
		}
	}
	return n
}
