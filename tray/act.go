package tray

import (
	"encoding/json"
	"time"
)

// Body is what a click asks for, as the API takes it.
func (a Act) Body() json.RawMessage {
	body := map[string]any{}
	switch a.Arg {
	case "":
	case "on", "off":
		body["on"] = a.Arg == "on"
	default:
		body["for"] = a.Arg
	}
	text, _ := json.Marshal(body) // of nothing that could fail
	return text
}

// Least is how long a turn must have been for "your turn", as [Turns] asks for; less than
// nothing: no turn is told.
func (a Act) Least() time.Duration {
	d, err := time.ParseDuration(a.Arg)
	if err != nil {
		return -1
	}
	return d
}
