package config

import (
	"strings"

	"github.com/BurntSushi/toml"
)

// The parser of TOML tells what a text says, but not where: of [[rules]] and of the items
// of a list it knows no lines. What follows finds them in a text that it has taken. It
// knows where a value ends, and leaves what it means to the parser.

// statement is a heading, or a key with its value.
type statement struct {
	line    int
	key     string // as written
	heading bool
	many    bool // [[so]]
	value   node
}

// node is a value in the text.
type node struct {
	line  int
	text  string      // as written
	items []node      // of a list
	keys  []statement // of a table in braces
}

// scanner goes through a text.
type scanner struct {
	text string
	at   int
	line int
}

func newScanner(text string) *scanner { return &scanner{text: text, line: 1} }

// next returns the next statement of the text.
func (s *scanner) next() (st statement, ok bool) {
	s.gap()
	if s.over() {
		return st, false
	}
	if s.text[s.at] != '[' {
		return s.pair(), true
	}
	st = statement{line: s.line, heading: true, many: s.begins("[[")}
	s.skip(1)
	if st.many {
		s.skip(1)
	}
	st.key = s.name(']')
	for s.begins("]") {
		s.skip(1)
	}
	return st, true
}

// pair is a key with its value.
func (s *scanner) pair() statement {
	st := statement{line: s.line, key: s.name('=')}
	s.skip(1)
	s.gap()
	st.value = s.value()
	return st
}

// name is what is written before end.
func (s *scanner) name(end byte) string {
	from := s.at
	for !s.over() && s.text[s.at] != end {
		s.piece()
	}
	return strings.TrimSpace(s.text[from:s.at])
}

func (s *scanner) value() node {
	n, from := node{line: s.line}, s.at
	switch {
	case s.begins("["):
		for s.skip(1); s.inside(']'); s.comma(']') {
			n.items = append(n.items, s.value())
		}
		s.skip(1)
	case s.begins("{"):
		for s.skip(1); s.inside('}'); s.comma('}') {
			n.keys = append(n.keys, s.pair())
		}
		s.skip(1)
	default:
		for !s.over() && !strings.ContainsRune(",]}#\n", rune(s.text[s.at])) {
			s.piece()
		}
	}
	n.text = strings.TrimSpace(s.text[from:s.at])
	return n
}

// inside reports whether something comes before end.
func (s *scanner) inside(end byte) bool {
	s.gap()
	return !s.over() && s.text[s.at] != end
}

// comma goes over what stands between a value and the next, or else end.
func (s *scanner) comma(end byte) {
	if s.inside(end) {
		s.skip(1)
	}
}

// gap goes over what says nothing.
func (s *scanner) gap() {
	for !s.over() {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.skip(1)
		case '#':
			s.to("\n", false)
		default:
			return
		}
	}
}

// piece goes over a string, or else one character.
func (s *scanner) piece() {
	quote := s.text[s.at : s.at+1]
	switch {
	case quote != `"` && quote != `'`:
		s.skip(1)
	case s.begins(strings.Repeat(quote, 3)):
		s.skip(3)
		s.to(strings.Repeat(quote, 3), quote == `"`)
		for s.begins(quote) { // up to two of them belong to the text
			s.skip(1)
		}
	default:
		s.skip(1)
		s.to(quote, quote == `"`)
		s.skip(1)
	}
}

// to goes on until end. What follows a \ is none, where that escapes.
func (s *scanner) to(end string, escapes bool) {
	for !s.over() && !s.begins(end) {
		if escapes && s.begins(`\`) {
			s.skip(1)
		}
		s.skip(1)
	}
}

func (s *scanner) over() bool { return s.at >= len(s.text) }

func (s *scanner) begins(with string) bool { return strings.HasPrefix(s.text[s.at:], with) }

func (s *scanner) skip(n int) {
	for ; n > 0 && !s.over(); n-- {
		if s.text[s.at] == '\n' {
			s.line++
		}
		s.at++
	}
}

// names are the parts of a dotted key.
func names(key string) []string {
	var any map[string]toml.Primitive
	meta, err := toml.Decode(key+" = 0", &any)
	if err != nil || len(meta.Keys()) == 0 {
		return nil
	}
	return meta.Keys()[0]
}

// read is what a value says.
func (n *node) read() value {
	v := value{text: n.text, line: n.line}
	switch {
	case strings.HasPrefix(n.text, "["):
		v.form = aList
		for i := range n.items {
			v.items = append(v.items, n.items[i].read())
		}
		return v
	case strings.HasPrefix(n.text, "{"):
		v.form = aTable
		return v
	}
	var is struct{ X any }
	_, _ = toml.Decode("X = "+n.text, &is) // it was taken before
	switch x := is.X.(type) {
	case string:
		v.form, v.text = aString, x
	case int64:
		v.form = anInteger
	case bool:
		v.form = aBool
	}
	return v
}
