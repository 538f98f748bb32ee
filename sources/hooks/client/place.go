package client

import "os"

// SocketName is what the socket is called in the runtime folder.
const SocketName = "hooks.sock"

const separator = string(os.PathSeparator)

// Socket is where the running deskbell listens for hooks: in the folder of its API's
// socket. "": there is no such folder.
func Socket() string {
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if !absolute(dir) {
		var err error
		if dir, err = os.UserCacheDir(); err != nil {
			return ""
		}
	}
	for len(dir) > 1 && os.IsPathSeparator(dir[len(dir)-1]) {
		dir = dir[:len(dir)-1]
	}
	return dir + separator + "deskbell" + separator + SocketName
}
