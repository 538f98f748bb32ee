package hooks

import "bytes"

var eventKey = []byte("hook_event_name")

// eventIn returns the event a payload names, "" if it names none. ok: it looks like an
// object. It looks no further than it must.
func eventIn(text []byte) (name string, ok bool) {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 || text[0] != '{' {
		return "", false
	}
	depth := 0
	key := false // the next string is one
	found := false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
			key = depth == 1
		case '}', ']':
			depth--
			key = false
		case ',':
			key, found = depth == 1, false
		case ':':
			key = false
		case '"':
			s, n := quoted(text[i:])
			if found {
				return string(s), true
			}
			found = key && bytes.Equal(s, eventKey)
			i += n - 1
		}
	}
	return "", true
}

// quoted returns what is between the quotes of the string text begins with, escapes as
// they are, and the length of both together.
func quoted(text []byte) (s []byte, n int) {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return text[1:i], i + 1
		}
	}
	return text[1:], len(text)
}
