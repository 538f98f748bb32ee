//go:build !linux

package process

// offspring lists the children of a process.
func offspring(pid int) ([]int, error) { return sought(pid) }

// legible: the environment of a process can be read.
const legible = false

func carries(int, string) bool { return false }
