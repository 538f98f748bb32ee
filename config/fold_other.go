//go:build !windows

package config

// fold makes names equal that are the same to the system.
func fold(path string) string { return path }
