package hooks

import "golang.org/x/sys/unix"

// peer returns the user and the process at the other end of a connection.
func peer(fd int) (uid, pid int, err error) {
	c, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, 0, err
	}
	pid, err = unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	if err != nil {
		pid = 0 // it has ended already
	}
	return int(c.Uid), pid, nil
}

// accept takes the next connection. Reading from it never waits.
func accept(fd int) (int, error) {
	c, _, err := unix.Accept(fd)
	if err != nil {
		return -1, err
	}
	unix.CloseOnExec(c)
	if err := unix.SetNonblock(c, true); err != nil {
		_ = unix.Close(c)
		return -1, err
	}
	return c, nil
}
