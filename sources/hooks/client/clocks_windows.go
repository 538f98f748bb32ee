package client

import (
	"syscall"
	"unsafe"
)

func wallClock() int64 {
	var t syscall.Filetime
	syscall.GetSystemTimeAsFileTime(&t)
	return t.Nanoseconds()
}

var kernel32 = syscall.NewLazyDLL("kernel32.dll")

// Boot is the time since the machine was started, sleep included, in ns. 0: it cannot
// be told here.
func Boot() int64 {
	var count, second int64
	r1, _, _ := kernel32.NewProc("QueryPerformanceCounter").Call(uintptr(unsafe.Pointer(&count)))
	r2, _, _ := kernel32.NewProc("QueryPerformanceFrequency").Call(uintptr(unsafe.Pointer(&second)))
	if r1 == 0 || r2 == 0 || second <= 0 {
		return 0
	}
	return count/second*1e9 + count%second*1e9/second
}

// BootID tells one start of the machine from another; here nothing does.
func BootID() string { return "" }
