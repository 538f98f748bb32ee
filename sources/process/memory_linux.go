package process

import (
	"bytes"
	"os"
	"strconv"
)

// resident is what of a process is in memory.
func resident(pid int) int64 {
	room := rooms.Get().(*[]byte)
	defer rooms.Put(room)
	text, err := readInto(procPath(pid, "/statm"), *room)
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize())
}

// proportional is the share of a process, if we may read its maps.
func proportional(pid int) (size int64, ok bool) {
	room := rooms.Get().(*[]byte)
	defer rooms.Put(room)
	text, err := readInto(procPath(pid, "/smaps_rollup"), *room)
	if err != nil {
		return 0, false
	}
	return pss(text)
}
