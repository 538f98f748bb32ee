//go:build !linux && !(darwin && !cgo)

package tray

import (
	"context"
	"time"
)

// desk is the desktop session. This system's is there as long as we are.
type desk struct{}

func (t *Tray) reach(_ context.Context, want func() Menu) (*desk, func() Menu, bool) {
	return &desk{}, want, true
}

func (*desk) gone() <-chan struct{}                               { return nil }
func (*desk) up() bool                                            { return true }
func (*desk) attend(context.Context, func(string), time.Duration) {}
func (*desk) close()                                              {}
