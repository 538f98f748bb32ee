package client

import "syscall"

// widen makes room for a frame: a socket begins with 8 KB.
func widen(fd, frame int) error {
	if frame <= 8<<10 {
		return nil
	}
	return syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_SNDBUF, frame)
}
