package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// worked is how much time a process has had a core, in ticks, and whether one of its
// threads runs, wants to run or waits for a disk right now.
func worked(pid int) (ticks uint64, runs bool, err error) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false, err
	}
	if ticks, err = spent(line); err != nil {
		return 0, false, err
	}
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	for _, t := range threads {
		line, err := os.ReadFile(t)
		if err != nil {
			continue // it has ended
		}
		if s, ok := parseStat(line); ok && (s.state == 'R' || s.state == 'D') {
			runs = true
		}
	}
	return ticks, runs, err
}

// The fields of a stat line that follow the name and hold a process's time.
const (
	statUser   = 11
	statSystem = 12
)

// spent adds up user and system time.
func spent(line []byte) (ticks uint64, err error) {
	fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
	if len(fields) <= statSystem {
		return 0, fmt.Errorf("a stat line of %d fields", len(fields))
	}
	for _, i := range []int{statUser, statSystem} {
		n, err := strconv.ParseUint(string(fields[i]), 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return ticks, nil
}
