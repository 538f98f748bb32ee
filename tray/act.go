package tray

import "encoding/json"

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
