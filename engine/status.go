// Package engine turns what the witnesses saw into one status per session, and
// can say why. It is pure: facts and the time go in, verdicts come out.
package engine

import (
	"fmt"
	"slices"
)

// Status is what a session is doing, SPEC section 2. The zero Status is that of
// a session nobody has vouched for yet; such a session is not shown.
type Status uint8

// The statuses, in no order of importance. [Status.Urgency] orders them.
const (
	Unknown    Status = iota
	Connecting        // we opened its terminal, the CLI has not reported in
	Idle              // nothing runs and nothing is asked
	Prompting         // you spoke, nothing has run yet
	Working           // a turn is under way
	Waiting           // the turn is over: your move
	Approval          // a tool call wants your yes
	Input             // a question wants your answer
	Asleep            // we ended its CLI to free memory
	Ended             // its CLI is gone
	statuses
)

var statusNames = [statuses]string{
	"unknown", "connecting", "idle", "prompting", "working", "waiting", "approval", "input", "asleep", "ended",
}

func (s Status) String() string { return name(statusNames[:], int(s)) }

// MarshalText writes the status as its lower-case name.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText is the inverse of [Status.MarshalText].
func (s *Status) UnmarshalText(text []byte) error {
	i, err := index("status", statusNames[:], string(text))
	*s = Status(i)
	return err
}

// NeedsYou reports whether the status asks something of the user.
func (s Status) NeedsYou() bool { return s == Waiting || s == Approval || s == Input }

// AtRest reports whether a session in this status may be left unwatched: no
// timer, no scan (SPEC section 1).
func (s Status) AtRest() bool {
	return s == Idle || s == Waiting || s == Asleep || s == Ended || s == Unknown
}

// Live reports whether the session belongs in the list of live ones.
func (s Status) Live() bool { return s != Unknown && s != Ended }

// urgency orders statuses for views: the smaller, the sooner it is looked at.
var urgency = [statuses]int{
	Approval: 0, Input: 1, Waiting: 2, Working: 3, Prompting: 3, Connecting: 4, Idle: 5, Asleep: 6, Ended: 7, Unknown: 8,
}

// Urgency is the rank of the status in a list, 0 first.
func (s Status) Urgency() int { return urgency[s] }

// Weight is how sure a witness is, SPEC section 3. The heaviest is the smallest.
type Weight uint8

// The weights.
const (
	Certain  Weight = iota // a process exit, a SessionEnd, your own act
	Reported               // hooks, listings, end-of-turn records
	Observed               // titles, output, transcript writes, children
	Inferred               // silence
	weights
)

var weightNames = [weights]string{"certain", "reported", "observed", "inferred"}

func (w Weight) String() string { return name(weightNames[:], int(w)) }

// MarshalText writes the weight as its lower-case name.
func (w Weight) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText is the inverse of [Weight.MarshalText].
func (w *Weight) UnmarshalText(text []byte) error {
	i, err := index("weight", weightNames[:], string(text))
	*w = Weight(i)
	return err
}

// Witness names the kind of witness a fact came from.
type Witness uint8

// The witnesses. Clock is nobody: it only moves the time.
const (
	Clock Witness = iota
	Hook
	Transcript
	Listing
	Process
	Terminal
	User
	witnesses
)

var witnessNames = [witnesses]string{"clock", "hook", "transcript", "listing", "process", "terminal", "user"}

func (w Witness) String() string { return name(witnessNames[:], int(w)) }

// MarshalText writes the witness as its lower-case name.
func (w Witness) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText is the inverse of [Witness.MarshalText].
func (w *Witness) UnmarshalText(text []byte) error {
	i, err := index("witness", witnessNames[:], string(text))
	*w = Witness(i)
	return err
}

func name(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprint(i)
}

func index(what string, names []string, s string) (int, error) {
	if i := slices.Index(names, s); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("no %s is called %q", what, s)
}
