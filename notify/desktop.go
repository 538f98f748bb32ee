package notify

import (
	"context"

	"deskbell/engine"
)

// Desktop shows notices. It is used by one goroutine at a time.
type Desktop interface {
	// Raise shows n, in place of the notice of the same ID if that is up. Where a sound is
	// wanted, mute reports that it makes none, and the bell may ring: that it does so
	// itself, or wants no disturbance, is for the desktop to say.
	Raise(ctx context.Context, n Notice) (mute bool, err error)
	// Withdraw takes the notice id off the screen if it is there.
	Withdraw(ctx context.Context, id engine.ID) error
	// Events tells what became of notices on the screen. It is never closed.
	Events() <-chan Event
	// Close withdraws what is up and lets go of the desktop.
	Close(ctx context.Context) error
}

// Event is something that happened to a notice.
type Event struct {
	ID     engine.ID // of the notice
	Action Action
	Token  string // lets a Wayland window come to the front; often ""
}

// Action is what happened.
type Action string

// The actions.
const (
	Open      Action = "open"      // it was clicked
	Mute      Action = "mute"      // its session is not to be heard of for an hour
	Dismissed Action = "dismissed" // closed by the user
	Expired   Action = "expired"   // closed by the desktop

	appeared Action = "appeared" // a service that was away is there, and knows of no notice
)

// Why says in a clause what a notice that went off the screen went by; "" for an
// action that takes none off.
func (a Action) Why() string {
	switch a {
	case Open:
		return "opened"
	case Mute:
		return "muted by you"
	case Dismissed:
		return "closed by you"
	case Expired:
		return "its time on the screen is over"
	}
	return ""
}

// button is something a notice offers.
type button struct {
	Action Action
	Text   string
}

// buttons are offered where the desktop has any.
var buttons = []button{{Open, "Open"}, {Mute, "Mute 1 h"}}

// app is what we are called by the desktop.
const app = "deskbell"

// post hands e over unless nobody reads: a full channel must not hold up the
// desktop.
func post(to chan<- Event, e Event) {
	select {
	case to <- e:
	default:
	}
}
