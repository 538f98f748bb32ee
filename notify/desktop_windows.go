package notify

import (
	"context"
	"fmt"

	"git.sr.ht/~jackmordaunt/go-toast/wintoast"

	"deskbell/engine"
)

// activator is the COM class Windows calls at a click on one of our toasts.
const activator = "{B7C0D1E4-2F6A-4E53-9D38-6C1A5E90F27B}"

// NewDesktop shows toasts. They cannot be changed or withdrawn, clicks are told.
// Icon is a PNG for the fallback, beeep, or nil.
func NewDesktop(icon []byte) Desktop {
	t := &toasts{portable: newPortable(icon, " · ", inert), events: make(chan Event, 64)}
	wintoast.SetActivationCallback(func(_, argument string, _ []wintoast.UserData) {
		if e, ok := clicked(argument); ok {
			post(t.events, e)
		}
	})
	return t
}

type toasts struct {
	*portable
	events chan Event
}

// Raise implements [Desktop]. The library's way around a failure is not used: it
// pastes the text into a PowerShell script as it is. A toast has a sound of its own, which
// Windows leaves out where it is asked not to disturb.
func (t *toasts) Raise(ctx context.Context, n Notice) (mute bool, err error) {
	if n.Silent {
		return false, errNotUp
	}
	err = wintoast.SetAppData(wintoast.AppData{AppID: app, GUID: activator})
	if err == nil {
		err = wintoast.Push(toast(n))
	}
	if err == nil {
		return false, nil
	}
	if _, other := t.portable.Raise(ctx, n); other != nil {
		return false, fmt.Errorf("toast: %w; %w", err, other)
	}
	return false, nil
}

// Withdraw implements [Desktop].
func (t *toasts) Withdraw(context.Context, engine.ID) error { return nil }

// Events implements [Desktop].
func (t *toasts) Events() <-chan Event { return t.events }
