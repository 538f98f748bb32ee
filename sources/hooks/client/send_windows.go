package client

import "syscall"

const (
	version22   = 0x202 // of Winsock
	sendTimeout = 0x1005
)

// Send hands a frame to the receiver at path. Connecting to a socket of this machine
// never waits here; writing waits no longer than patience, in ns.
func Send(path string, frame []byte, patience int64) error {
	var started syscall.WSAData
	if err := syscall.WSAStartup(version22, &started); err != nil {
		return err
	}
	s, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Closesocket(s)
	if err := syscall.SetsockoptInt(s, syscall.SOL_SOCKET, sendTimeout, int(max(patience/1e6, 1))); err != nil {
		return err
	}
	if err := syscall.Connect(s, &syscall.SockaddrUnix{Name: path}); err != nil {
		return err
	}
	until := Boot() + patience
	return written(frame, func(b []byte) (int, error) {
		var sent uint32
		buf := syscall.WSABuf{Len: uint32(len(b)), Buf: &b[0]}
		err := syscall.WSASend(s, &buf, 1, &sent, 0, nil, nil)
		return int(sent), err
	}, func() bool { return Boot() < until })
}
