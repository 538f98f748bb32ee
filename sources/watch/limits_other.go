//go:build !linux && !darwin

package watch

// A watched folder costs a handle and a buffer of 64 KB.
const maxFolders = 512

// The folders of a log tree that are watched unasked: the newest few, and those
// changed recently.
const (
	newestFew = 64
	allRecent = true
)
