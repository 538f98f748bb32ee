// Package notify tells you about sessions that need you, once each: a pure
// [Planner] decides, a [Sender] hands what it decided to the desktop.
package notify

import (
	"slices"
	"time"

	"deskbell/engine"
)

// Kind is what a notice is about. The names are those of the configuration.
type Kind string

// The kinds. A turn that ended in trouble is shown as Waiting, and switched by
// its own name.
const (
	Approval Kind = "approval"
	Input    Kind = "input"
	Waiting  Kind = "waiting"
	Trouble  Kind = "trouble"
	Several  Kind = "several"
	Away     Kind = "away" // the summary after quiet hours
)

// The IDs of the notices that stand for several sessions: of those that came close
// together, and of those that came in quiet hours.
const (
	Together   engine.ID = "several"
	AfterHours engine.ID = "away"
)

// Notice is one notification as it should be on the screen.
type Notice struct {
	ID    engine.ID   `json:"id"`  // the session's, or [Together]
	IDs   []engine.ID `json:"ids"` // the sessions it is about
	Kind  Kind        `json:"kind"`
	Title string      `json:"title"`
	Body  string      `json:"body,omitempty"` // one line, plain text
	Line  string      `json:"line,omitempty"` // tool, place and folder, plain text
	At    time.Time   `json:"at"`

	Sound    bool `json:"sound"`    // a soft bell
	Stays    bool `json:"stays"`    // until answered
	Critical bool `json:"critical"` // above everything else
	// Reminder counts how often the same was told before.
	Reminder int `json:"reminder,omitempty"`
	// Replaces: the notice of this ID is up and is to be changed.
	Replaces bool `json:"replaces,omitempty"`
	// Silent: only the text is another. Where a notice cannot be changed, or is no
	// longer up, nothing is to be shown.
	Silent bool `json:"silent,omitempty"`

	bell string // the file of the sound; "": there is none
}

// same reports whether a and b look the same.
func (n *Notice) same(o *Notice) bool {
	return n.Kind == o.Kind && n.Title == o.Title && n.Body == o.Body && n.Critical == o.Critical && slices.Equal(n.IDs, o.IDs)
}
