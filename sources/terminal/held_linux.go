package terminal

import (
	"os"
	"strconv"
)

// held counts the terminals that a process holds open: as many as it shows.
func held(pid int) (int, bool) {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd/"
	all, err := os.ReadDir(dir)
	if err != nil {
		return 0, false
	}
	n := 0
	for _, fd := range all {
		if to, err := os.Readlink(dir + fd.Name()); err == nil && (to == "/dev/ptmx" || to == "/dev/pts/ptmx") {
			n++
		}
	}
	return n, true
}
