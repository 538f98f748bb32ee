package process

import "github.com/shirou/gopsutil/v3/process"

// kinship lists all processes with their parents, whose numbers may have been given to
// others since.
func kinship() (map[int]kin, error) {
	list, parents, err := pids()
	all := make(map[int]kin, len(list))
	for _, n := range list {
		start, _ := (&process.Process{Pid: n}).CreateTime() // 0: that of another user
		all[int(n)] = kin{parent: parents[int(n)], ticks: uint64(start)}
	}
	return all, err
}
