package process

import (
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
