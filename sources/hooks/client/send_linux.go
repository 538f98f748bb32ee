package client

// widen makes room for a frame: there always is.
func widen(int, int) error { return nil }
