//go:build !windows

package process

import "github.com/shirou/gopsutil/v3/process"

// pids lists the processes there are. Who started them is read for each.
func pids() (list []int32, parents map[int]int, err error) {
	list, err = process.Pids()
	return list, nil, err
}
