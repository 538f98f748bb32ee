package notify

import (
	"encoding/xml"
	"strings"
	"unicode"

	"deskbell/engine"
)

// toast is n as Windows wants it. All text is escaped here: the library's own
// template writes it as it comes.
func toast(n Notice) string {
	var b strings.Builder
	put := func(parts ...string) {
		for i, part := range parts {
			if i%2 == 0 {
				b.WriteString(part)
			} else {
				xml.EscapeText(&b, []byte(part)) // a Builder cannot fail
			}
		}
	}
	duration := "short"
	if n.Stays {
		duration = "long" // none that stays: it could not be withdrawn
	}
	put(`<toast activationType="foreground" launch="`, argument(Open, n.ID), `" duration="`, duration,
		`"><visual><binding template="ToastGeneric"><text>`, n.Title, `</text><text>`, n.Body, `</text>`)
	if n.Line != "" {
		put(`<text placement="attribution">`, n.Line, `</text>`)
	}
	put(`</binding></visual>`)
	if !n.Sound {
		put(`<audio silent="true"/>`)
	}
	put(`<actions>`)
	for _, x := range buttons {
		put(`<action activationType="foreground" content="`, x.Text, `" arguments="`, argument(x.Action, n.ID), `"/>`)
	}
	put(`</actions></toast>`)
	return b.String()
}

// argument is what Windows hands back at a click, clicked reads it.
func argument(a Action, id engine.ID) string { return string(a) + " " + string(id) }

func clicked(argument string) (e Event, ok bool) {
	action, id, ok := strings.Cut(argument, " ")
	return Event{ID: engine.ID(id), Action: Action(action)}, ok && id != ""
}

// inert makes text safe for the script beeep pastes it into where Windows' own
// interface fails: nothing PowerShell expands, nothing that ends a CDATA section.
func inert(s string) string { return powershell.Replace(printable(s)) }

var powershell = strings.NewReplacer("$", "＄", "`", "‘", "]]>", "]] >")

// printable leaves out what Go's %q would write as an escape of its own, which
// AppleScript does not know, and keeps text from passing for an option.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, s)
	if strings.HasPrefix(s, "-") {
		return " " + s
	}
	return s
}
