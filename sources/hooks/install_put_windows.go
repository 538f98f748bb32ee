package hooks

import (
	"io/fs"
	"os"
)

// owned does nothing: a file has the owner and the rights that its folder gives.
func owned(*os.File, fs.FileInfo) error { return nil }
