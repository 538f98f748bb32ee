package hooks

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// insertion writes into the text of one file. What it writes, removal takes out
// again to the byte.
type insertion struct {
	body []byte
	style
	// direct: new items come before a comment that is in their place, which is then
	// further down. Only for what cannot be taken out again otherwise.
	direct bool
	edits  []edit
}

// insert adds items at the end of v, an object or array. write returns the text of
// each in the style and at the indentation it is given.
func (n *insertion) insert(v hujson.Value, write func(s style, indent string) []string) {
	b, ok := boxOf(v)
	if !ok {
		return
	}
	if len(b.items) == 0 {
		n.fill(b, write)
		return
	}
	last := len(b.items) - 1
	lead, s := n.lead(b)
	at := b.after(last)
	if s.pretty && !n.direct {
		at = n.endOfLine(at, b.close)
	}
	added := lead + strings.Join(write(s, indentAt(n.body, b.items[last].start)), ","+lead)
	if b.items[last].comma < 0 {
		n.edits = append(n.edits, edit{b.items[last].end, b.items[last].end, ","}, edit{at, at, added})
		return
	}
	n.edits = append(n.edits, edit{at, at, added + ","})
}

// lead returns the white space before a further item of b, which has some, and the
// style of it: the last one's.
func (n *insertion) lead(b box) (string, style) {
	s := n.style
	last := len(b.items) - 1
	before := n.body[b.after(last-1):b.items[last].start]
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		s.pretty = true
		s.line = "\n"
		if i > 0 && before[i-1] == '\r' {
			s.line = "\r\n"
		}
		return s.line + indentAt(n.body, b.items[last].start), s
	}
	s.pretty = false
	if last > 0 && len(bytes.TrimSpace(before)) == 0 {
		return string(before), s
	}
	return strings.TrimPrefix(s.comma(), ","), s
}

// endOfLine returns where comments end that stand on the line of offset at.
func (n *insertion) endOfLine(at, limit int) int {
	for i := at; i < limit; i++ {
		switch n.body[i] {
		case ' ', '\t':
			continue
		case '/':
			long := commentLength(n.body[i:limit])
			if bytes.IndexByte(n.body[i:i+long], '\n') < 0 {
				i += long - 1
				at = i + 1
				continue
			}
		}
		break
	}
	return at
}

// fill adds items to b, which is empty but for white space and comments.
func (n *insertion) fill(b box, write func(s style, indent string) []string) {
	inside := n.body[b.open+1 : b.close]
	if !n.pretty {
		texts := strings.Join(write(n.style, ""), n.comma())
		n.edits = append(n.edits, edit{b.close, b.close, texts})
		return
	}
	indent := indentAt(n.body, b.open)
	at := b.open + 1
	if !n.direct {
		at += lastComment(inside)
	}
	line := n.line + n.below(indent)
	added := line + strings.Join(write(n.style, n.below(indent)), ","+line)
	if bytes.IndexByte(n.body[at:b.close], '\n') < 0 {
		added += n.line + indent
	}
	n.edits = append(n.edits, edit{at, at, added})
}

// lastComment returns where the last comment of space ends, 0: there is none. A
// line comment ends before the end of its line.
func lastComment(space []byte) int {
	end := 0
	for i := 0; i < len(space); i++ {
		if long := commentLength(space[i:]); long > 0 {
			i += long - 1
			end = i + 1
		}
	}
	return end
}
