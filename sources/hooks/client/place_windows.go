package client

import "os"

func absolute(path string) bool {
	return len(path) > 2 && path[1] == ':' && os.IsPathSeparator(path[2]) ||
		len(path) > 2 && os.IsPathSeparator(path[0]) && os.IsPathSeparator(path[1])
}
