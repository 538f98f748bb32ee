package cli

import (
	"strings"

	"deskbell/engine"
)

// look is how a status is shown: shape, word, and colour as the terminal has it.
type look struct {
	shape string
	word  string
	ansi  string // parameters of an SGR sequence
}

// looks is the table of DESIGN.md, by status.
var looks = map[engine.Status]look{
	engine.Approval:   {"▲", "Approve", "1;33"},
	engine.Input:      {"?", "Asks you", "1;35"},
	engine.Waiting:    {"●", "Your turn", "32"},
	engine.Working:    {"◐", "Working", "34"},
	engine.Prompting:  {"◐", "Working", "34"},
	engine.Idle:       {"○", "Idle", "90"},
	engine.Connecting: {"◌", "Starting", "90"},
	engine.Asleep:     {"☾", "Asleep", "90"},
	engine.Ended:      {"✕", "Ended", "90"},
}

// unseenShape is an idle session that finished and was not looked at.
const unseenShape = "◉"

// lookOf returns how s is shown. A guess carries a question mark.
func lookOf(s engine.Session) look {
	l, ok := looks[s.Status]
	if !ok {
		l = look{" ", s.Status.String(), "90"}
	}
	if s.Status == engine.Idle && s.Unseen {
		l.shape = unseenShape
	}
	if s.Guess {
		l.word += "?"
	}
	return l
}

// troubles are the words for a turn that did not end well.
var troubles = map[engine.Trouble]string{
	engine.RateLimit:   "Stopped: rate limit",
	engine.Overloaded:  "Stopped: overloaded",
	engine.Auth:        "Stopped: login needed",
	engine.Billing:     "Stopped: billing",
	engine.BadRequest:  "Stopped: bad request",
	engine.MaxOutput:   "Stopped: output limit",
	engine.APIError:    "Stopped: API error",
	engine.Interrupted: "Interrupted",
	engine.ProcessLost: "Stopped: its process is gone",
}

func troubleWords(t engine.Trouble) string {
	if w, ok := troubles[t]; ok {
		return w
	}
	return "Stopped: " + strings.ReplaceAll(string(t), "_", " ")
}
