//go:build !linux

package terminal

// held is not known here.
func held(int) (int, bool) { return 0, false }
