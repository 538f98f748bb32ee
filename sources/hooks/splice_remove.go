package hooks

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// removal takes items out of the text of one file.
type removal struct {
	body  []byte
	edits []edit
}

// remove takes the items out of v for which gone is true, with the white space
// before them and the comma that is then one too many. Comments stay.
func (r *removal) remove(v hujson.Value, gone func(i int) bool) {
	b, ok := boxOf(v)
	if !ok {
		return
	}
	needless := -1 // the last comma, if it is no trailing one and what follows goes
	for i, it := range b.items {
		if !gone(i) {
			needless = it.comma
		}
	}
	last := len(b.items) - 1
	if last >= 0 && needless >= 0 && gone(last) && b.items[last].comma < 0 {
		r.edits = append(r.edits, edit{at: needless, to: needless + 1})
	}
	joint, rest := -1, -1 // where the next edit begins, and the text behind it
	for i := last; i >= 0; i-- {
		it := b.items[i]
		if !gone(i) {
			continue
		}
		end := it.end
		if it.comma >= 0 {
			if len(bytes.TrimSpace(r.body[it.end:it.comma])) == 0 {
				end = it.comma + 1
			} else { // a comment in between
				r.edits = append(r.edits, edit{at: it.comma, to: it.comma + 1})
			}
		}
		if end != joint {
			rest = end
		}
		joint = r.lead(b.after(i-1), it.start, rest)
		r.edits = append(r.edits, edit{at: joint, to: end})
	}
}

// lead returns where the white space begins that goes with the text from start to
// what is left behind it, rest. from is where the item before ends.
func (r *removal) lead(from, start, rest int) int {
	space := r.body[from:start]
	at := from + lastComment(space)
	if bytes.HasPrefix(r.body[from+lastCommentStart(space):], []byte("//")) && !r.lineEnds(rest) {
		return at + bytes.IndexByte(r.body[at:], '\n') + 1 // or what follows would be in the comment
	}
	return at
}

// lineEnds reports whether nothing but white space follows on the line of at.
func (r *removal) lineEnds(at int) bool {
	rest := bytes.TrimLeft(r.body[at:], " \t")
	return bytes.HasPrefix(rest, []byte("\n")) || bytes.HasPrefix(rest, []byte("\r\n"))
}

// lastCommentStart returns where the last comment of space begins, len(space):
// there is none.
func lastCommentStart(space []byte) int {
	start := len(space)
	for i := 0; i < len(space); i++ {
		if long := commentLength(space[i:]); long > 0 {
			start = i
			i += long - 1
		}
	}
	return start
}

// comments returns the comments directly in v, one after the other.
func comments(body []byte, v hujson.Value) string {
	b, ok := boxOf(v)
	if !ok {
		return ""
	}
	var all []byte
	from := b.open + 1
	for i := 0; i <= len(b.items); i++ {
		to := b.close
		if i < len(b.items) {
			to = b.items[i].start
		}
		for ; from < to; from++ {
			if long := commentLength(body[from:to]); long > 0 {
				all = append(all, body[from:from+long]...)
				from += long - 1
			}
		}
		if i < len(b.items) {
			from = b.items[i].end
		}
	}
	return string(all)
}
