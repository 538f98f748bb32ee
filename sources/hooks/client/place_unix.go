//go:build !windows

package client

func absolute(path string) bool { return path != "" && path[0] == '/' }
