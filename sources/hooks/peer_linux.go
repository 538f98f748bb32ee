package hooks

import "golang.org/x/sys/unix"

// peer returns the user and the process at the other end of a connection.
func peer(fd int) (uid, pid int, err error) {
	c, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, 0, err
	}
	return int(c.Uid), int(c.Pid), nil
}

// accept takes the next connection. Reading from it never waits.
func accept(fd int) (int, error) {
	c, _, err := unix.Accept4(fd, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
	return c, err
}
