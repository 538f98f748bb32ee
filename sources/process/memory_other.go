//go:build !linux

package process

import "github.com/shirou/gopsutil/v3/process"

// resident is what of a process is in memory. What it shares with others counts for each.
func resident(pid int) int64 {
	m, err := (&process.Process{Pid: int32(pid)}).MemoryInfo()
	if err != nil {
		return 0
	}
	return int64(m.RSS)
}

// proportional is nothing that this system tells.
func proportional(int) (size int64, ok bool) { return 0, false }
