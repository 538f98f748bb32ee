//go:build !linux && !windows

package notify

// NewDesktop shows notices by beeep: the Notification Center on macOS, without
// clicks. Icon is a PNG, or nil.
func NewDesktop(icon []byte) Desktop { return newPortable(icon, "\n", printable) }
