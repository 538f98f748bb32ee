package host

import "bytes"

const (
	longestTitle = 512  // bytes that are kept of one
	longestRun   = 4096 // bytes until what never ends is taken for no title
)

// reader finds in the output of a terminal the titles it is given, "ESC ] 0 ; text BEL",
// and whether pastes are to be marked. What it needs to know of a sequence that is cut in
// two it remembers.
type reader struct {
	state  state
	text   []byte
	number int // of the sequence
	run    int // bytes of it so far
	mode   int

	// Pastes: what reads the terminal wants to be told what is pasted.
	Pastes bool
}

type state uint8

const (
	ground state = iota
	escaped
	numbered      // behind ESC ]
	titling       // in the text of a title
	titlingEnding // ... and ESC was seen in it
	csi           // behind ESC [
	private       // behind ESC [ ?
)

const (
	bel    = 0x07
	cancel = 0x18
	sub    = 0x1a
	esc    = 0x1b
)

// pasting is the private mode in which pastes are marked.
const pasting = 2004

// read takes the next bytes of output, and returns the last title among them.
func (r *reader) read(out []byte) (title string, is bool) {
	for len(out) > 0 {
		if r.state == ground {
			i := bytes.IndexByte(out, esc)
			if i < 0 {
				return title, is
			}
			r.state, out = escaped, out[i+1:]
			continue
		}
		if t, done := r.step(out[0]); done {
			title, is = t, true
		}
		out = out[1:]
	}
	return title, is
}

// step takes one byte of a sequence.
func (r *reader) step(c byte) (title string, done bool) {
	switch r.state {
	case escaped:
		r.begin(c)
	case numbered:
		switch {
		case c >= '0' && c <= '9' && r.run < 4:
			r.number = 10*r.number + int(c-'0')
			r.run++
		case c == ';' && r.run > 0 && (r.number == 0 || r.number == 2):
			r.state, r.run, r.text = titling, 0, r.text[:0]
		case c == esc:
			r.state = escaped
		default:
			r.state = ground
		}
	case titling:
		switch {
		case c == bel:
			return r.end()
		case c == esc:
			r.state = titlingEnding
		case c == cancel || c == sub || r.run >= longestRun:
			r.state = ground
		default:
			if r.run++; len(r.text) < longestTitle {
				r.text = append(r.text, c)
			}
		}
	case titlingEnding:
		if c == '\\' {
			return r.end()
		}
		r.begin(c) // it was given up for another sequence
	case csi:
		r.state = ground
		switch {
		case c == '?':
			r.state, r.mode = private, 0
		case c == esc:
			r.state = escaped
		}
	case private:
		switch {
		case c >= '0' && c <= '9' && r.mode < 1e6:
			r.mode = 10*r.mode + int(c-'0')
		case c == ';':
			r.mode = 0
		default:
			if r.mode == pasting && (c == 'h' || c == 'l') {
				r.Pastes = c == 'h'
			}
			if r.state = ground; c == esc {
				r.state = escaped
			}
		}
	}
	return "", false
}

// begin takes the byte behind ESC.
func (r *reader) begin(c byte) {
	switch c {
	case ']':
		r.state, r.number, r.run = numbered, 0, 0
	case '[':
		r.state = csi
	case esc:
		r.state = escaped
	default:
		r.state = ground
	}
}

func (r *reader) end() (string, bool) {
	r.state = ground
	return string(bytes.ToValidUTF8(r.text, nil)), true
}
