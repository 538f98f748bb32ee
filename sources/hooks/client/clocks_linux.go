package client

import (
	"syscall"
	"unsafe"
)

const (
	clockRealtime = 0
	clockBoottime = 7
)

func wallClock() int64 { return clock(clockRealtime) }

// Boot is the time since the machine was started, sleep included, in ns. 0: it cannot
// be told here.
func Boot() int64 { return clock(clockBoottime) }

func clock(id uintptr) int64 {
	var t syscall.Timespec
	if _, _, e := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, id, uintptr(unsafe.Pointer(&t)), 0); e != 0 {
		return 0
	}
	return t.Nano()
}

// instant is a clock that is not set, in ns.
func instant() int64 { return Boot() }

// BootID tells one start of the machine from another.
func BootID() string {
	var room [64]byte
	text := readFile("/proc/sys/kernel/random/boot_id", room[:])
	for i, c := range text {
		if c == '\n' {
			return string(text[:i])
		}
	}
	return string(text)
}

// readFile reads the beginning of a small file.
func readFile(path string, room []byte) []byte {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer syscall.Close(fd)
	n, err := syscall.Read(fd, room)
	if err != nil {
		return nil
	}
	return room[:max(n, 0)]
}
