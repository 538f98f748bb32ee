package config

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// syntax is the problem of a text that is no TOML.
func (p *parse) syntax(text string, err error) Problem {
	out := Problem{File: p.file, Text: strings.TrimPrefix(err.Error(), "toml: ")}
	var at toml.ParseError
	if !errors.As(err, &at) {
		return out
	}
	first, size := utf8.DecodeRuneInString(at.Message)
	out.Text = string(unicode.ToLower(first)) + strings.TrimSuffix(at.Message[size:], ".")
	out.Line = lineOf(text, &at)
	names, whole := keyAt(strings.Split(text, "\n")[out.Line-1], &at)
	out.Key = strings.Join(names, ".")
	switch {
	case whole:
		out.Text += ": keep one of them"
	case strings.Contains(out.Text, "escape") || strings.Contains(out.Text, "digits after"):
		out.Text += `; what has a \ in it goes between single quotes`
	case len(names) > 1:
		if s, _ := p.section(names[:len(names)-1]); s != nil && s.find(names[len(names)-1]) != nil {
			out.Text += "; it wants " + s.find(names[len(names)-1]).take.wants
		}
	}
	return out
}

// lineOf is the line of an error. That which the parser counts is one too far where a
// line ends too early, and anywhere in a text of several lines (v1.6.0); the offset of
// what it read last is exact.
func lineOf(text string, at *toml.ParseError) int {
	from := min(max(at.Position.Start, 0), len(text))
	end := min(max(from+at.Position.Len-1, from), len(text))
	if _, escape, ok := strings.Cut(at.Message, `'\`); ok && strings.Contains(at.Message, "not valid UTF-8") {
		escape, _, _ = strings.Cut(escape, "'")
		for i := from; i < end; i++ { // the whole text is what it read last
			if text[i] != '\\' {
				continue
			}
			if i++; strings.HasPrefix(text[i:], escape) {
				end = i
			}
		}
	}
	return 1 + strings.Count(text[:end], "\n")
}

var bareKey = regexp.MustCompile(`^\s*([A-Za-z0-9_.-]+)\s*=`)

// keyAt is the key that an error on a line is about, or else the section. It is whole
// where nothing is wrong with the form of it.
func keyAt(line string, at *toml.ParseError) (key []string, whole bool) {
	heading := strings.HasPrefix(strings.TrimSpace(line), "[")
	switch whole = strings.Contains(at.Message, "already"); {
	case whole && heading:
		st, _ := newScanner(line).next()
		return names(st.key), true
	case strings.Contains(at.Message, "table name"):
		return nil, false // LastKey is of the table above it
	}
	key = names(at.LastKey)
	// The key is forgotten where a value seems to have ended.
	if m := bareKey.FindStringSubmatch(line); m != nil && strings.Contains(at.Message, "top-level item") {
		key = slices.Concat(key, names(m[1]))
	}
	return key, whole
}
