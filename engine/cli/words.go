package cli

import "deskbell/engine"

// colours are those of DESIGN.md, as the terminal has them: parameters of an SGR sequence.
var colours = map[engine.Status]string{
	engine.Approval: "1;33", engine.Input: "1;35", engine.Waiting: "32", engine.Working: "34", engine.Prompting: "34",
}

const grey = "90"

// look is how a status is shown: shape, word and colour.
type look struct{ shape, word, ansi string }

func lookOf(s engine.Session) look {
	shape, word := s.Look()
	colour, known := colours[s.Status]
	if !known {
		colour = grey
	}
	return look{shape, word, colour}
}
