package process

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/windows"
)

// pids lists the processes there are, and who started them: on Windows both come
// from one look.
func pids() (list []int32, parents map[int]int, err error) {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil, nil, err
	}
	defer windows.CloseHandle(snap)
	parents = make(map[int]int)
	var entry windows.ProcessEntry32
	entry.Size = uint32(unsafe.Sizeof(entry))
	for err = windows.Process32First(snap, &entry); err == nil; err = windows.Process32Next(snap, &entry) {
		list = append(list, int32(entry.ProcessID))
		parents[int(entry.ProcessID)] = int(entry.ParentProcessID)
	}
	if !errors.Is(err, windows.ERROR_NO_MORE_FILES) {
		return nil, nil, err
	}
	return list, parents, nil
}
