//go:build cgo

package tray

import "context"

// host runs the tray on the calling goroutine: macOS draws on the main one only.
func host(ctx context.Context, _ *desk, ready <-chan struct{}, run, quit func()) {
	stop := context.AfterFunc(ctx, func() { <-ready; quit() })
	defer stop()
	run()
}
