package terminal

import (
	"os/exec"
	"strings"
	"syscall"
)

// apart: windows live on without us anyway.
var apart *syscall.SysProcAttr

// opens is the command line that opens w, in Windows Terminal where there is one.
func (t *Terminals) opens(w Window) ([]string, error) {
	if len(w.With) > 0 {
		return choose(w, t.getenv, exec.LookPath)
	}
	if wt, err := exec.LookPath("wt.exe"); err == nil {
		argv := []string{wt, "-w", "-1", "nt", "-d", w.Dir}
		for _, a := range w.Argv {
			argv = append(argv, strings.ReplaceAll(a, ";", `\;`)) // it separates commands
		}
		return argv, nil
	}
	return append([]string{"cmd.exe", "/c", "start", "", "/D", w.Dir}, w.Argv...), nil
}
