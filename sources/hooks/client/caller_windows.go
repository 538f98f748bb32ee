package client

import (
	"syscall"
	"unsafe"
)

const queryLimited = 0x1000 // PROCESS_QUERY_LIMITED_INFORMATION

// look goes through the list of all processes: there is no other way to a parent.
func look(pid int) (p program, ok bool) {
	list, err := syscall.CreateToolhelp32Snapshot(syscall.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return p, false
	}
	defer syscall.CloseHandle(list)
	e := syscall.ProcessEntry32{}
	e.Size = uint32(unsafe.Sizeof(e))
	for err = syscall.Process32First(list, &e); err == nil; err = syscall.Process32Next(list, &e) {
		if int(e.ProcessID) == pid {
			p.name, p.parent = lower(syscall.UTF16ToString(e.ExeFile[:])), int(e.ParentProcessID)
			p.ticks = started(pid)
			return p, true
		}
	}
	return p, false
}

// started is when a process was created, in ms since 1970; 0: it may not be asked.
func started(pid int) uint64 {
	h, err := syscall.OpenProcess(queryLimited, false, uint32(pid))
	if err != nil {
		return 0
	}
	defer syscall.CloseHandle(h)
	var created, ended, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(h, &created, &ended, &kernel, &user) != nil {
		return 0
	}
	return uint64(created.Nanoseconds() / 1e6)
}
