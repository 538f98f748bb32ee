// Package process knows which agent CLIs run: it lists our own processes, finds
// the CLIs among them, and notices at once when one of those ends.
package process

import (
	"path/filepath"
	"slices"

	"deskbell/sources"
)

var kept = func() map[string]bool {
	m := make(map[string]bool, len(sources.EnvKept))
	for _, name := range sources.EnvKept {
		m[name] = true
	}
	return m
}()

// shells are programs that are often exchanged for another one in the same process.
var shells = []string{"sh", "bash", "zsh", "fish", "dash", "ksh", "mksh", "tcsh", "csh", "nu", "elvish", "xonsh", "ash", "busybox", "env"}

func shell(p sources.Proc) bool { return p.TTY != "" && slices.Contains(shells, p.Name) }

// realDir is dir, seen from base, with its links resolved.
func realDir(base, dir string) string {
	if dir == "" {
		return base
	}
	if !filepath.IsAbs(dir) {
		if base == "" {
			return ""
		}
		dir = filepath.Join(base, dir)
	}
	return sources.RealPath(dir)
}
