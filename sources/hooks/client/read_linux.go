package client

import (
	"syscall"
	"unsafe"
)

const getTermios = syscall.TCGETS

type pollFD struct {
	fd              int32
	events, revents int16
}

// pollIn waits up to wait ns until fd can be read.
func pollIn(fd int, wait int64) (n int, e syscall.Errno) {
	p := pollFD{fd: int32(fd), events: 1} // POLLIN
	t := syscall.NsecToTimespec(wait)
	r, _, e := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, uintptr(unsafe.Pointer(&t)), 0, 0, 0)
	return int(r), e
}
