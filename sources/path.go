package sources

import "path/filepath"

// RealPath is an absolute path with its links resolved, as far as it exists. What is no
// absolute path here stays as it is: it may be one of another system.
func RealPath(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	path = filepath.Clean(path)
	for up, rest := path, ""; ; up, rest = filepath.Dir(up), filepath.Join(filepath.Base(up), rest) {
		if real, err := filepath.EvalSymlinks(up); err == nil {
			return filepath.Join(real, rest)
		}
		if filepath.Dir(up) == up {
			return path
		}
	}
}
