package host

// readNow reads from a file that never blocks.
func readNow(fd int, to []byte) (int, error) { return read(fd, to) }
