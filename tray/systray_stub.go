//go:build darwin && !cgo

package tray

import (
	"context"
	"errors"
	"fmt"
)

// Run reports that this build cannot show a tray: on macOS that takes cgo.
func (t *Tray) Run(context.Context) error {
	return fmt.Errorf("tray: built without cgo: %w", errors.ErrUnsupported)
}
