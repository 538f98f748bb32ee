package sources

import (
	"encoding/json"
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// UUID is what a session id looks like where it is one.
var UUID = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// Longest is how much of a text of a conversation is kept, in runes.
const Longest = 200

// longestTitle is how much of a prompt names a session (SPEC section 10).
const longestTitle = 60

// OneLine makes one printable line of s.
func OneLine(s string) string {
	var b strings.Builder
	n, gap := 0, false
	for _, c := range s {
		switch {
		case c == unicode.ReplacementChar:
			continue
		case unicode.IsSpace(c) || unicode.IsControl(c):
			gap = n > 0
			continue
		case n >= Longest || gap && n+1 >= Longest:
			return b.String()
		case gap:
			b.WriteByte(' ')
			n, gap = n+1, false
		}
		b.WriteRune(c)
		n++
	}
	return b.String()
}

// Sentence is the first sentence of a prompt.
func Sentence(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	s = OneLine(s)
	for i, c := range s {
		if (c == '.' || c == '!' || c == '?') && (i+1 == len(s) || s[i+1] == ' ') {
			s = s[:i+1]
			break
		}
	}
	if r := []rune(s); len(r) > longestTitle {
		return strings.TrimSpace(string(r[:longestTitle-1])) + "…"
	}
	return s
}

// About is what the input of a call is about, in one line: the first of the fields that
// has a text.
func About(input json.RawMessage, fields []string) string {
	var all map[string]json.RawMessage
	if json.Unmarshal(input, &all) != nil {
		return ""
	}
	for _, name := range fields {
		var text string
		if json.Unmarshal(all[name], &text) == nil && text != "" {
			return OneLine(text)
		}
	}
	return ""
}

// Key tells a tool and the beginning of its input, where a CLI gives its calls no ids. It
// is so short that no command can be guessed from a record that has it.
func Key(tool, text string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(OneLine(text))) // a hash never fails
	return OneLine(tool) + "#" + strconv.FormatUint(uint64(uint16(h.Sum32()^h.Sum32()>>16)), 16)
}
