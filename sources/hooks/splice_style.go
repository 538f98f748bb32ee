package hooks

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"

	"deskbell/sources"
)

// style is how a file is written.
type style struct {
	line   string // what ends a line
	unit   string // one step of indentation
	colon  string // between name and value
	pretty bool   // each member on its own line
}

// plain is the style of a file without one.
var plain = style{line: "\n", unit: "  ", colon: ": ", pretty: true}

// styleOf returns how body, parsed as root, is written.
func styleOf(body []byte, root hujson.Value) style {
	s := plain
	if i := bytes.IndexByte(body, '\n'); i > 0 && body[i-1] == '\r' {
		s.line = "\r\n"
	}
	o, ok := root.Value.(*hujson.Object)
	if !ok || len(o.Members) == 0 {
		return s
	}
	b, _ := boxOf(root)
	last := len(b.items) - 1
	s.pretty = bytes.IndexByte(body[b.after(last-1):b.items[last].start], '\n') >= 0
	if s.pretty {
		s.unit = strings.TrimPrefix(indentAt(body, b.items[last].start), indentAt(body, b.open))
	}
	m := o.Members[last]
	switch between := string(body[m.Name.EndOffset:m.Value.StartOffset]); between {
	case ":", " : ", " :":
		s.colon = between
	}
	return s
}

// comma is what stands between members on one line.
func (s style) comma() string {
	if strings.HasSuffix(s.colon, " ") {
		return ", "
	}
	return ","
}

// indentAt returns the white space that begins the line with offset at.
func indentAt(body []byte, at int) string {
	line := body[bytes.LastIndexByte(body[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// pair is a member of an object to be written.
type pair = sources.Member

// literal returns v as text; indent is that of the line it begins on.
func (s style) literal(v any, indent string) string {
	switch x := v.(type) {
	case string:
		return string(hujson.String(x))
	case bool:
		return string(hujson.Bool(x))
	case int:
		return string(hujson.Int(int64(x)))
	case []pair:
		var texts []string
		for _, p := range x {
			texts = append(texts, s.member(p, s.below(indent)))
		}
		return s.bracketed("{", texts, "}", indent)
	case []any:
		var texts []string
		for _, e := range x {
			texts = append(texts, s.literal(e, s.below(indent)))
		}
		return s.bracketed("[", texts, "]", indent)
	}
	return "null"
}

// member returns p as text.
func (s style) member(p pair, indent string) string {
	return s.literal(p.Name, indent) + s.colon + s.literal(p.Value, indent)
}

// below is the indentation of what is inside of something indented by indent.
func (s style) below(indent string) string {
	if s.pretty {
		return indent + s.unit
	}
	return indent
}

func (s style) bracketed(open string, texts []string, close, indent string) string {
	if len(texts) == 0 {
		return open + close
	}
	if !s.pretty {
		return open + strings.Join(texts, s.comma()) + close
	}
	line := s.line + s.below(indent)
	return open + line + strings.Join(texts, ","+line) + s.line + indent + close
}
