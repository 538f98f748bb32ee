package process

import (
	"bytes"
	"os"
	"strconv"
)

// taken is what a process takes: its proportional share, or, of one whose maps we may not
// read, all that is resident.
func taken(pid int) int64 {
	room := rooms.Get().(*[]byte)
	defer rooms.Put(room)
	if text, err := readInto(procPath(pid, "/smaps_rollup"), *room); err == nil {
		if size, ok := pss(text); ok {
			return size
		}
	}
	text, err := readInto(procPath(pid, "/statm"), *room)
	if err != nil {
		return 0
	}
	if fields := bytes.Fields(text); len(fields) > 1 {
		pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
		return pages * int64(os.Getpagesize())
	}
	return 0
}
