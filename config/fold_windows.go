package config

import "strings"

// fold makes names equal that are the same to the system.
func fold(path string) string { return strings.ToLower(path) }
