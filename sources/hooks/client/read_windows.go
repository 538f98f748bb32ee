package client

import (
	"os"
	"syscall"
)

// read takes in a value from standard input, which need not end after it. A read
// cannot be given up here: when it takes too long the process ends.
func (v *value) read() {
	var mode uint32
	if syscall.GetConsoleMode(syscall.Stdin, &mode) == nil {
		return // nobody types a payload
	}
	go func() {
		self, _ := syscall.GetCurrentProcess()
		_, _ = syscall.WaitForSingleObject(self, readPatience/1e6)
		os.Exit(0)
	}()
	for !v.done {
		n, err := syscall.Read(syscall.Stdin, v.free())
		if n > 0 {
			v.add(n)
		}
		if n <= 0 || err != nil {
			return
		}
	}
}
