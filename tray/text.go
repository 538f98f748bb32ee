package tray

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"deskbell/engine"
)

// clean makes foreign text fit for one line: no control characters, no line
// breaks, no marks that turn the direction of what follows, single spaces.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case turns(r):
			return -1
		case unicode.IsControl(r), unicode.IsSpace(r), unicode.In(r, unicode.Zl, unicode.Zp):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
	return strings.Join(strings.Fields(s), " ")
}

// turns reports whether r embeds, overrides or isolates a direction, or is a mark that
// nobody sees.
func turns(r rune) bool {
	return unicode.Is(unicode.Bidi_Control, r) || r == '\ufeff' || r >= 0xe0000 && r <= 0xe007f
}

// isolate keeps text that runs from right to left from reordering its row.
func isolate(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, leftward...) }) {
		return s
	}
	const first, pop = "\u2068", "\u2069"
	return first + s + pop
}

var leftward = []*unicode.RangeTable{
	unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic, unicode.Adlam,
}

// cut shortens s to at most n runes, the last of them an ellipsis. It does not
// leave half of a composed character behind.
func cut(s string, n int) string {
	if length(s) <= n {
		return s
	}
	if n <= 0 {
		return ""
	}
	r := []rune(s)
	end := n - 1
	for end > 0 && joins(r[end-1], r[end]) {
		end--
	}
	return strings.TrimRight(string(r[:end]), " ") + "…"
}

// cutLeft is cut at the other end.
func cutLeft(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	begin := len(r) - n + 1
	for begin < len(r) && joins(r[begin-1], r[begin]) {
		begin++
	}
	return "…" + string(r[begin:])
}

const joiner = '\u200d'

// joins reports whether b belongs to the character a is part of.
func joins(a, b rune) bool {
	return a == joiner || b == joiner || unicode.In(b, unicode.Mn, unicode.Me, unicode.Variation_Selector)
}

// length counts runes, without the marks of [isolate].
func length(s string) int {
	n := utf8.RuneCountInString(s)
	return n - strings.Count(s, "\u2068") - strings.Count(s, "\u2069")
}

// escape doubles the character a system takes for the mark of a menu's key.
func escape(s, mark string) string {
	if mark == "" {
		return s
	}
	return strings.ReplaceAll(s, mark, mark+mark)
}

func sortByAge(all []*engine.Session) {
	slices.SortFunc(all, func(a, b *engine.Session) int { return older(a.ID, b.ID) })
}
