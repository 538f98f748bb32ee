package notify

import (
	"strings"
	"unicode"
)

// clean makes foreign text fit for one line of a notice: valid, no control
// characters, no line breaks, nothing that turns the direction of what follows,
// single spaces.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Bidi_Control, r), r == '\ufeff', r >= 0xe0000 && r <= 0xe007f:
			return -1
		case unicode.IsControl(r), unicode.IsSpace(r), unicode.In(r, unicode.Zl, unicode.Zp):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return strings.Join(strings.Fields(s), " ")
}

// cut shortens s to at most n runes, the last of them an ellipsis, and leaves no
// half of a composed character.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	if n <= 0 {
		return ""
	}
	end := n - 1
	for end > 0 && joined(r[end-1], r[end]) {
		end--
	}
	return strings.TrimRight(string(r[:end]), " ") + "…"
}

// tail shortens s like cut, but from its beginning: the end of a path tells more.
func tail(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	if n <= 0 {
		return ""
	}
	from := len(r) - n + 1
	for from < len(r) && joined(r[from-1], r[from]) {
		from++
	}
	return "…" + strings.TrimLeft(string(r[from:]), " ")
}

// joined reports whether b continues the character a belongs to.
func joined(a, b rune) bool {
	const joiner = '\u200d'
	return a == joiner || b == joiner || unicode.In(b, unicode.Mn, unicode.Me, unicode.Variation_Selector)
}

// escape makes text safe where a desktop reads markup.
func escape(s string) string { return markup.Replace(s) }

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// lines joins body and line as sep says; either may be empty.
func lines(body, line, sep string) string {
	if body == "" || line == "" {
		return body + line
	}
	return body + sep + line
}
