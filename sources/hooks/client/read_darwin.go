package client

import (
	"syscall"
	"unsafe"
)

const getTermios = syscall.TIOCGETA

type pollFD struct {
	fd              int32
	events, revents int16
}

// pollIn waits up to wait ns until fd can be read.
func pollIn(fd int, wait int64) (n int, e syscall.Errno) {
	p := pollFD{fd: int32(fd), events: 1} // POLLIN
	r, _, e := syscall.Syscall(syscall.SYS_POLL, uintptr(unsafe.Pointer(&p)), 1, uintptr((wait+999999)/1000000))
	return int(r), e
}
