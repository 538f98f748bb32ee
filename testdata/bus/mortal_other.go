//go:build !linux

package bus

import "syscall"

var mortal *syscall.SysProcAttr
