package hooks

import "path/filepath"

const (
	onWindows  = true
	executable = clientName + ".exe"
)

// dataDir returns where programs of a user keep what he does not edit.
func dataDir(home string, getenv func(string) string) string {
	if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if dir := getenv("LOCALAPPDATA"); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, "AppData", "Local")
}
