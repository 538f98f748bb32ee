//go:build !darwin && !windows

package live

import (
	"os"
	"path/filepath"
)

// base is where programs keep what they want to find again.
func base() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state"), err
}
