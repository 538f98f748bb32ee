package process

import "deskbell/sources"

// Line reads the process pid and its ancestors, the nearest first, as they are now, with
// their variables. It is empty where there is no such process of ours. Of ancestors that
// are not ours, or count so (a terminal that is setgid), less is known.
func Line(pid int) (line []sources.Proc) {
	seen := map[int]bool{}
	for len(line) < farthest && pid > 0 && !seen[pid] && (len(line) > 0 || ours(pid)) {
		seen[pid] = true
		p, alive := read(pid)
		if !alive {
			break
		}
		p.Env = environ(pid)
		line = append(line, p)
		pid = p.Parent
	}
	return line
}

// In names the terminal that the first process of a line runs in.
func In(line []sources.Proc) string {
	if len(line) == 0 {
		return ""
	}
	return RunsIn(line[0], func(pid int) (sources.Proc, bool) {
		for _, up := range line {
			if up.PID == pid {
				return up, true
			}
		}
		return sources.Proc{}, false
	})
}
