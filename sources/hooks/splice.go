package hooks

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// Broken is a settings file that cannot be read, and where.
type Broken struct {
	Line, Column int // from 1, in characters
	Why          string
}

func (b *Broken) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", b.Line, b.Column, b.Why)
}

// brokenAt is what is wrong at an offset of body.
func brokenAt(body []byte, at int, why string) *Broken {
	at = min(at, len(body))
	line := bytes.LastIndexByte(body[:at], '\n') + 1
	return &Broken{1 + bytes.Count(body[:at], []byte("\n")), 1 + utf8.RuneCount(body[line:at]), why}
}

const byteOrderMark = "\ufeff" // byte order mark

// unmarked divides text into its byte order mark, if any, and the rest.
func unmarked(text []byte) (bom string, body []byte) {
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		return byteOrderMark, text[len(byteOrderMark):]
	}
	return "", text
}

// blank reports whether text has nothing in it.
func blank(text []byte) bool {
	_, body := unmarked(text)
	return len(bytes.TrimSpace(body)) == 0
}

// deepest is how deep a file may nest: the parser calls itself for each level.
const deepest = 500

// parseSettings reads JSON with comments and trailing commas. Only the offsets of the
// result are used: what is written is spliced into the bytes as they are.
func parseSettings(body []byte) (hujson.Value, error) {
	if at := tooDeep(body); at >= 0 {
		return hujson.Value{}, brokenAt(body, at, "nested too deep")
	}
	// The parser wants a line comment to end with its line, the last one too.
	v, err := hujson.Parse(append(slices.Clip(body), '\n'))
	if err == nil {
		return v, nil
	}
	var line, column int
	why := err.Error()
	if n, _ := fmt.Sscanf(why, "hujson: line %d, column %d:", &line, &column); n != 2 {
		return v, brokenAt(body, 0, why)
	}
	_, why, _ = strings.Cut(why, ", column ")
	_, why, _ = strings.Cut(why, ": ")
	if strings.HasPrefix(why, "invalid literal") {
		why = "not a valid JSON value" // which may be a secret
	}
	at := 0
	for ; line > 1; line-- {
		end := bytes.IndexByte(body[at:], '\n')
		if end < 0 {
			return v, brokenAt(body, len(body), why) // in the line we added
		}
		at += end + 1
	}
	return v, brokenAt(body, at+column-1, why)
}

// tooDeep returns where body nests deeper than is read, -1: nowhere. It takes
// brackets in what is no JSON for nesting, which does no harm.
func tooDeep(body []byte) int {
	depth := 0
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '"':
			for i++; i < len(body) && body[i] != '"'; i++ {
				if body[i] == '\\' {
					i++
				}
			}
		case '/':
			long := commentLength(body[i:])
			if long == 0 {
				return -1 // no comment, or one without end: refused all the same
			}
			i += long - 1
		case '[', '{':
			if depth++; depth > deepest {
				return i
			}
		case ']', '}':
			depth--
		}
	}
	return -1
}

// commentLength returns how long the comment is that text begins with, a line comment
// without the end of its line. 0: it begins with none.
func commentLength(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			return len(text)
		}
		if text[end-1] == '\r' {
			end--
		}
		return end
	case bytes.HasPrefix(text, []byte("/*")):
		if end := bytes.Index(text[2:], []byte("*/")); end >= 0 {
			return 2 + end + 2
		}
	}
	return 0
}

// edit replaces the bytes from at up to to.
type edit struct {
	at, to int
	text   string
}

// edited carries out edits that do not overlap. Those at one place keep their order.
func edited(body []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	var out []byte
	done := 0
	for _, e := range edits {
		out = append(out, body[done:e.at]...)
		out = append(out, e.text...)
		done = e.to
	}
	return append(out, body[done:]...)
}

// item is a member of an object or an element of an array: where its text is, and
// where the comma behind it, -1: there is none.
type item struct{ start, end, comma int }

// box is an object or array in the text.
type box struct {
	open, close int // of its brackets
	items       []item
}

// boxOf returns the places of v. ok: it is an object or array.
func boxOf(v hujson.Value) (b box, ok bool) {
	b.open, b.close = v.StartOffset, v.EndOffset-1
	add := func(start int, value hujson.Value, last bool) {
		it := item{start, value.EndOffset, -1}
		if !last || value.AfterExtra != nil { // that is how the parser tells a trailing comma
			it.comma = value.EndOffset + len(value.AfterExtra)
		}
		b.items = append(b.items, it)
	}
	switch x := v.Value.(type) {
	case *hujson.Object:
		for i, m := range x.Members {
			add(m.Name.StartOffset, m.Value, i == len(x.Members)-1)
		}
	case *hujson.Array:
		for i, e := range x.Elements {
			add(e.StartOffset, e, i == len(x.Elements)-1)
		}
	default:
		return b, false
	}
	return b, true
}

// after returns where the text behind item i begins: behind its comma, or itself.
func (b box) after(i int) int {
	switch {
	case i < 0:
		return b.open + 1
	case b.items[i].comma >= 0:
		return b.items[i].comma + 1
	}
	return b.items[i].end
}

// memberName returns the name of an object's member.
func memberName(m hujson.ObjectMember) string {
	if l, ok := m.Name.Value.(hujson.Literal); ok {
		return l.String()
	}
	return ""
}

// member returns the value of an object's last member of that name, which is the
// one that counts. nil: there is none.
func member(v hujson.Value, of string) *hujson.Value {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	for i := len(o.Members) - 1; i >= 0; i-- {
		if memberName(o.Members[i]) == of {
			return &o.Members[i].Value
		}
	}
	return nil
}

// stringOf returns the string v is. ok: it is one.
func stringOf(v *hujson.Value) (s string, ok bool) {
	if v == nil || v.Value.Kind() != '"' {
		return "", false
	}
	return v.Value.(hujson.Literal).String(), true
}
