//go:build linux || darwin

package client

import (
	"syscall"
	"unsafe"
)

// read takes in a value from standard input, which need not end after it. From a
// terminal it reads nothing.
func (v *value) read() {
	if terminal(syscall.Stdin) {
		return
	}
	for until := instant() + readPatience; !v.done && readable(syscall.Stdin, min(readQuiet, until-instant())); {
		n, err := syscall.Read(syscall.Stdin, v.free())
		if n > 0 {
			v.add(n)
		}
		if n == 0 && err == nil || err != nil && err != syscall.EINTR && err != syscall.EAGAIN {
			return
		}
	}
}

func terminal(fd int) bool {
	var room [256]byte // more than any system's struct termios
	_, _, e := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), getTermios, uintptr(unsafe.Pointer(&room)))
	return e == 0
}

// readable waits until fd can be read, or has ended or failed.
func readable(fd int, wait int64) bool {
	for wait > 0 {
		n, e := pollIn(fd, wait)
		if e == syscall.EINTR {
			continue
		}
		return n > 0 || e != 0
	}
	return false
}
