//go:build !windows

package terminal

import "syscall"

// apart has a window live on without us.
var apart = &syscall.SysProcAttr{Setsid: true}
