//go:build !darwin

package tray

import (
	"context"
	"runtime"
	"time"
)

// host runs the tray on a goroutine of its own, so that one that never came up,
// or whose desktop is gone, can be left behind: to quit it would panic or hang.
func host(ctx context.Context, d *desk, ready <-chan struct{}, run, quit func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // Windows sends a window's messages to the thread that made it
		run()
	}()
	select {
	case <-done:
		return
	case <-ctx.Done():
	}
	select {
	case <-ready:
	default:
		return
	}
	if d.up() {
		quit()
		select {
		case <-done:
		case <-time.After(time.Second):
		}
	}
}
