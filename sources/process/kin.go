package process

import "deskbell/engine"

// kin is what a process tells of its family. A part that is empty is not known.
type kin struct {
	parent int
	ticks  uint64
	tty    string
}

// nobody owns a process that none of the roots started.
const nobody = -1

// families tells whose each process is: of the nearest of its ancestors that is a root,
// or of whoever has the terminal opened by us that it runs in. The roots are the
// processes of who, by their place in it.
func families(all map[int]kin, who []engine.Who, roots map[int]int) map[int]int {
	owner := make(map[int]int, len(all))
	terms := map[string]int{}
	for pid, i := range roots {
		if tty := all[pid].tty; who[i].Term != "" && tty != "" {
			if o, taken := terms[tty]; !taken || i < o {
				terms[tty] = i
			}
		}
	}
	out := map[int]int{}
	for pid := range all {
		i := climb(all, pid, roots, owner)
		if hosted, is := terms[all[pid].tty]; is && i == nobody {
			i = hosted
		}
		if i != nobody {
			out[pid] = i
		}
	}
	return out
}

// climb finds the root that a process descends from, and notes it in owner for all on the
// way.
func climb(all map[int]kin, pid int, roots, owner map[int]int) int {
	var way []int
	found := nobody
	for {
		if i, known := owner[pid]; known {
			found = i
			break
		}
		owner[pid] = nobody // parents that go round in a circle are nobody's
		way = append(way, pid)
		if i, is := roots[pid]; is {
			found = i
			break
		}
		up, there := all[all[pid].parent]
		if child := all[pid]; !there || up.ticks > child.ticks && child.ticks != 0 { // its parent's number was given away
			break
		}
		pid = all[pid].parent
	}
	for _, p := range way {
		owner[p] = found
	}
	return found
}
