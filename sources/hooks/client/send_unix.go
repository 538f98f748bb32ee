//go:build linux || darwin

package client

import "syscall"

// Send hands a frame to the receiver at path. Neither to get through nor to be rid of
// it does it wait longer than patience, in ns.
//
// The socket is a stream, one connection to a frame. Datagrams are cheaper (6 instead
// of 20 µs to receive), but their queue is net.unix.max_dgram_qlen long, 10 where
// systemd does not raise it: at 2 000 a second on a busy machine 11 % did not get in
// within 3 ms, where a stream's backlog lost none at 20 000. Windows has streams only,
// and on macOS datagrams end at 2 KB.
func Send(path string, frame []byte, patience int64) error {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	syscall.CloseOnExec(fd)
	until := instant() + patience
	wait := syscall.NsecToTimeval(patience) // it holds for connect, too
	if err := syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, &wait); err != nil {
		return err
	}
	if err := widen(fd, len(frame)); err != nil {
		return err
	}
	inTime := func() bool { return instant() < until }
	to := &syscall.SockaddrUnix{Name: path}
	for err = syscall.Connect(fd, to); err == syscall.EINTR && inTime(); {
		err = syscall.Connect(fd, to)
	}
	if err != nil {
		return err
	}
	return written(frame, func(b []byte) (int, error) { return syscall.Write(fd, b) }, inTime)
}
