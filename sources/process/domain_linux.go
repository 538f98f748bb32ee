package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// locate finds the process that has number pid in a pid namespace, told as
// "linux:<machine>:pid:[<inode>]". A host of 0 in a namespace that is seen says
// that there is no such process.
func locate(domain string, pid int) (host int, where place) {
	system, rest, _ := strings.Cut(domain, ":")
	machine, space, ok := strings.Cut(rest, ":")
	if !ok || system != "linux" {
		return pid, elsewhere
	}
	own := link(os.Getpid(), "/ns/pid")
	switch {
	case own != space:
		return inside(space, pid)
	case sameMachine(machine):
		return pid, here
	}
	return pid, perhaps // the first namespace of every machine has the same number
}

func sameMachine(id string) bool {
	own, err := os.ReadFile("/etc/machine-id")
	return err != nil || id == "" || strings.TrimSpace(string(own)) == id
}

// inside looks for pid in another namespace. Processes in namespaces that we may
// not read leave it open whether there is one.
func inside(space string, pid int) (host int, where place) {
	list, _, err := pids()
	if err != nil {
		return 0, elsewhere
	}
	seen, hidden := false, false
	for _, n := range list {
		inner := innermost(int(n))
		if inner == 0 {
			continue // in our own namespace
		}
		switch at := link(int(n), "/ns/pid"); {
		case at == "":
			hidden = true
		case at == space:
			seen = true
			if inner == pid {
				return int(n), here
			}
		}
	}
	if seen && !hidden {
		return 0, here
	}
	return 0, elsewhere
}

// innermost is the number of a process in its own namespace, 0 if that is ours.
func innermost(pid int) int {
	text, err := os.ReadFile(procPath(pid, "/status"))
	if err != nil {
		return 0
	}
	_, after, ok := bytes.Cut(text, []byte("\nNSpid:"))
	if !ok {
		return 0
	}
	line, _, _ := bytes.Cut(after, []byte{'\n'})
	numbers := strings.Fields(string(line))
	if len(numbers) < 2 {
		return 0
	}
	n, _ := strconv.Atoi(numbers[len(numbers)-1])
	return n
}
