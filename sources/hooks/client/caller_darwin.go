package client

import (
	"syscall"
	"unsafe"
)

// Where the fields of struct kinfo_proc are.
const (
	kinfoSize   = 648
	kinfoStart  = 0
	kinfoStat   = 36
	kinfoPID    = 40
	kinfoComm   = 243
	kinfoParent = 560
	kinfoTTY    = 572
)

// look asks the kernel about a process.
func look(pid int) (p program, ok bool) {
	mib := [4]int32{1, 14, 1, int32(pid)} // CTL_KERN, KERN_PROC, KERN_PROC_PID
	var k [kinfoSize]byte
	n := uintptr(len(k))
	_, _, e := syscall.Syscall6(syscall.SYS___SYSCTL, uintptr(unsafe.Pointer(&mib)), uintptr(len(mib)),
		uintptr(unsafe.Pointer(&k)), uintptr(unsafe.Pointer(&n)), 0, 0)
	if e != 0 || n < kinfoSize || int(number(k[kinfoPID:])) != pid {
		return p, false
	}
	name := k[kinfoComm : kinfoComm+16]
	for i, c := range name {
		if c == 0 {
			name = name[:i]
			break
		}
	}
	p.name = string(name)
	p.parent = int(int32(number(k[kinfoParent:])))
	seconds := uint64(number(k[kinfoStart:])) | uint64(number(k[kinfoStart+4:]))<<32
	p.ticks = seconds*1e6 + uint64(number(k[kinfoStart+8:]))
	p.tty = ttyName(number(k[kinfoTTY:]))
	return p, true
}

func number(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// ttyName is the terminal with a number; "": none.
func ttyName(n uint32) string {
	major, minor := n>>24, n&0xffffff
	switch {
	case n == 0 || n == ^uint32(0):
		return ""
	case major == 16:
		s := "00" + itoa(uint64(minor))
		if minor == 0 {
			s = "000"
		}
		if minor > 999 {
			return "/dev/ttys" + itoa(uint64(minor))
		}
		return "/dev/ttys" + s[len(s)-3:]
	}
	return "tty " + digits(major) + ":" + digits(minor)
}
