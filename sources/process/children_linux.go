package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// offspring lists the children of a process. The kernel keeps them by the thread
// that started them, where it was built to.
func offspring(pid int) (out []int, err error) {
	threads, err := os.ReadDir(procPath(pid, "/task"))
	if err != nil {
		return nil, err
	}
	for _, t := range threads {
		text, err := os.ReadFile(procPath(pid, "/task/"+t.Name()+"/children"))
		if err != nil {
			return sought(pid)
		}
		for _, field := range strings.Fields(string(text)) {
			if n, err := strconv.Atoi(field); err == nil {
				out = append(out, n)
			}
		}
	}
	return out, nil
}

// legible: the environment of a process can be read.
const legible = true

// carries reports whether the environment of a process has an entry.
func carries(pid int, entry string) bool {
	text, err := os.ReadFile(procPath(pid, "/environ"))
	if err != nil {
		return false
	}
	found := false
	for one := range bytes.SplitSeq(text, []byte{0}) {
		found = found || string(one) == entry
	}
	clear(text) // it may hold secrets
	return found
}
