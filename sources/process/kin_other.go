//go:build !windows

package process

// kinship lists all processes with their parents.
func kinship() (map[int]kin, error) {
	list, _, err := pids()
	all := make(map[int]kin, len(list))
	for _, n := range list {
		if p, alive := glance(int(n)); alive {
			all[p.PID] = kin{p.Parent, p.Ticks, p.TTY}
		}
	}
	return all, err
}
