package sources

import (
	"strings"
	"unicode"
)

// Longest is how much of a text of a conversation is kept, in runes.
const Longest = 200

// OneLine makes one printable line of s.
func OneLine(s string) string {
	var b strings.Builder
	n, gap := 0, false
	for _, c := range s {
		if c == unicode.ReplacementChar {
			continue
		}
		if unicode.IsSpace(c) || unicode.IsControl(c) {
			gap = n > 0
			continue
		}
		if gap && n+1 < Longest {
			b.WriteByte(' ')
			n++
		}
		gap = false
		if n >= Longest {
			break
		}
		b.WriteRune(c)
		n++
	}
	return b.String()
}

// Sentence is the first sentence of a prompt, at most 60 runes.
func Sentence(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	s = OneLine(s)
	for i, c := range s {
		if (c == '.' || c == '!' || c == '?') && (i+1 == len(s) || s[i+1] == ' ') {
			s = s[:i+1]
			break
		}
	}
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}
