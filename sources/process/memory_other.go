//go:build !linux

package process

import "github.com/shirou/gopsutil/v3/process"

// taken is what of a process is resident. What it shares with others is counted for each.
func taken(pid int) int64 {
	m, err := (&process.Process{Pid: int32(pid)}).MemoryInfo()
	if err != nil {
		return 0
	}
	return int64(m.RSS)
}
