package client

import "syscall"

func wallClock() int64 {
	var t syscall.Timeval
	if syscall.Gettimeofday(&t) != nil {
		return 0
	}
	return t.Nano()
}

// Boot is the time since the machine was started, sleep included, in ns. 0: it cannot
// be told here.
func Boot() int64 { return 0 }

func instant() int64 { return wallClock() }

// BootID tells one start of the machine from another.
func BootID() string {
	id, _ := syscall.Sysctl("kern.bootsessionuuid")
	return id
}
