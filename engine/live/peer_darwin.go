package live

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// peer returns the user at the other end of a unix socket.
func peer(c syscall.RawConn) (uid int, err error) {
	var cred *unix.Xucred
	var failed error
	err = c.Control(func(fd uintptr) {
		cred, failed = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	})
	if err != nil {
		return 0, err
	}
	if failed != nil {
		return 0, failed
	}
	return int(cred.Uid), nil
}
