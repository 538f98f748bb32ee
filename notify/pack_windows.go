package notify

import (
	"errors"
	"os/exec"

	"golang.org/x/sys/windows"
)

// pack makes cmd and all it starts end together, where they are ended. Started is to be
// called once cmd runs, over when it has ended.
func pack(cmd *exec.Cmd) (started, over func()) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return func() {}, func() {} // it is ended alone
	}
	cmd.Cancel = func() error { return errors.Join(windows.TerminateJobObject(job, 1), cmd.Process.Kill()) }
	started = func() {
		const rights = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
		if process, err := windows.OpenProcess(rights, false, uint32(cmd.Process.Pid)); err == nil {
			_ = windows.AssignProcessToJobObject(job, process) // else it is ended alone
			_ = windows.CloseHandle(process)
		}
	}
	return started, func() { _ = windows.CloseHandle(job) }
}
