//go:build !linux

package notify

import (
	"context"

	"github.com/gen2brain/beeep"

	"deskbell/engine"
)

// portable shows notices by beeep, which can neither change nor withdraw them,
// nor tell of a click. Its calls know no deadline: one that hangs keeps others
// from being made.
type portable struct {
	icon any // never nil: beeep takes a path, "" for none, or a PNG
	sep  string
	fit  func(string) string
	free chan struct{} // holds a token unless a call is under way
}

func newPortable(icon []byte, sep string, fit func(string) string) *portable {
	beeep.AppName = app
	p := &portable{icon: "", sep: sep, fit: fit, free: make(chan struct{}, 1)}
	if len(icon) > 0 {
		p.icon = icon
	}
	p.free <- struct{}{}
	return p
}

// Raise implements [Desktop].
func (p *portable) Raise(ctx context.Context, n Notice) (mute bool, err error) {
	if n.Silent {
		return false, errNotUp
	}
	select {
	case <-p.free:
	default:
		return false, errSilent
	}
	done := make(chan error, 1)
	go func() {
		defer func() { p.free <- struct{}{} }()
		done <- beeep.Notify(p.fit(n.Title), p.fit(lines(n.Body, n.Line, p.sep)), p.icon)
	}()
	select {
	case err := <-done:
		return err == nil, err
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// Withdraw implements [Desktop].
func (p *portable) Withdraw(context.Context, engine.ID) error { return nil }

// Events implements [Desktop].
func (p *portable) Events() <-chan Event { return nil }

// Close implements [Desktop].
func (p *portable) Close(context.Context) error { return nil }
