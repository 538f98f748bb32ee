package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Path returns where the file is, or would be.
func Path() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the configuration: %w", err)
	}
	return filepath.Join(dir, "deskbell", "config.toml"), nil
}

// mostLinks is how many links may lead to a file.
const mostLinks = 16

// folders are those in which something may happen to the file at path: its own, and
// where there are links to it or to its folder, those of the links.
func folders(path string) (out []string) {
	add := func(dir string) {
		if !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	for _, at := range []string{path, filepath.Dir(path)} {
		for range mostLinks {
			to, err := os.Readlink(at)
			if at == path || err == nil {
				add(filepath.Dir(at))
			}
			if err != nil {
				break
			}
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(at), to)
			}
			if at = to; at != path {
				add(filepath.Dir(at))
			}
		}
	}
	return out
}
