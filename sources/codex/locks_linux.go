package codex

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// holders tells which process holds the lock of which thread in a folder, as the kernel
// lists them. A lock is never taken: that would make Codex's own attempt fail.
func holders(dir string) map[string]int {
	table, err := os.ReadFile("/proc/locks")
	if err != nil {
		return nil
	}
	held := locked(table)
	if len(held) == 0 {
		return nil
	}
	out := map[string]int{}
	files, _ := os.ReadDir(dir) // there is none before 0.171
	for _, f := range files {
		id, is := strings.CutSuffix(f.Name(), ".lock")
		var info syscall.Stat_t
		if !is || syscall.Lstat(filepath.Join(dir, f.Name()), &info) != nil {
			continue
		}
		if pid := held[info.Ino]; pid > 0 {
			out[id] = pid
		}
	}
	return out
}

// locked reads lines such as "1: FLOCK  ADVISORY  WRITE 4711 fd:01:1234567 0 EOF": who
// holds which inode. Devices are left out: some file systems name another there than to
// whoever asks for a file.
func locked(table []byte) map[uint64]int {
	held := map[uint64]int{}
	for line := range bytes.Lines(table) {
		words := strings.Fields(string(line))
		if len(words) < 6 || words[1] != "FLOCK" || words[3] != "WRITE" {
			continue
		}
		pid, _ := strconv.Atoi(words[4])
		_, inode, _ := strings.Cut(words[5], ":")
		_, inode, _ = strings.Cut(inode, ":")
		if n, err := strconv.ParseUint(inode, 10, 64); err == nil && pid > 0 {
			held[n] = pid
		}
	}
	return held
}
