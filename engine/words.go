package engine

import (
	"fmt"
	"strings"
)

// look is how a status is shown everywhere (DESIGN.md: every surface says the same
// words for the same thing).
type look struct{ shape, word string }

var looks = [statuses]look{
	Unknown:    {" ", "Unknown"},
	Connecting: {"◌", "Starting"},
	Idle:       {"○", "Idle"},
	Prompting:  {"◐", "Working"},
	Working:    {"◐", "Working"},
	Waiting:    {"●", "Your turn"},
	Approval:   {"▲", "Approve"},
	Input:      {"?", "Asks you"}, // no font has a question mark in a disc
	Asleep:     {"☾", "Asleep"},
	Ended:      {"✕", "Ended"},
}

// unseen is the ring of idle with a dot in it.
const unseen = "◉"

// Look is the shape and the word that s is shown with. A guess carries a question mark.
func (s *Session) Look() (shape, word string) {
	l := looks[s.Status]
	if s.Status == Idle && s.Unseen {
		l.shape = unseen
	}
	if s.Guess && s.NeedsYou {
		l.word += "?"
	}
	return l.shape, l.word
}

var troubles = map[Trouble]string{
	RateLimit:   "rate limit",
	Overloaded:  "overloaded",
	Auth:        "login needed",
	Billing:     "billing",
	BadRequest:  "bad request",
	MaxOutput:   "output limit",
	APIError:    "API error",
	ProcessLost: "its process is gone",
}

// Words says how the turn ended, in words: "Stopped: rate limit".
func (t Trouble) Words() string {
	if t == Interrupted {
		return "Interrupted"
	}
	words, known := troubles[t]
	if !known {
		words = strings.ReplaceAll(string(t), "_", " ")
	}
	return "Stopped: " + words
}

// Sized tells an amount of memory: "327 MB", "1.4 GB".
func Sized(bytes int64) string {
	switch {
	case bytes >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	case bytes >= 1e6:
		return fmt.Sprintf("%d MB", bytes/1e6)
	}
	return fmt.Sprintf("%d kB", bytes/1e3)
}
