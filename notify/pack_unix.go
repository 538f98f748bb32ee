//go:build unix

package notify

import (
	"os/exec"
	"syscall"
)

// pack makes cmd and all it starts end together, where they are ended. Started is to be
// called once cmd runs, over when it has ended.
func pack(cmd *exec.Cmd) (started, over func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return func() {}, func() {}
}
