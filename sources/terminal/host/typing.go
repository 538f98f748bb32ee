package host

// typist reads what is typed: whether there is text that no Enter has sent. What a
// terminal answers to questions of programs, and where the mouse is, is no text.
type typist struct {
	state  keys
	number int
	first  int // the first number of a sequence
	comma  bool
	pasted bool

	// Unsent: text was typed or pasted since the last Enter.
	Unsent bool
}

type keys uint8

const (
	plainKeys  keys = iota
	metaKey         // behind ESC
	function        // behind ESC O
	sequence        // behind ESC [
	saying          // in ESC ] … or the like, until its end
	sayingOver      // ... and ESC was seen in it
)

const (
	pasteBegins = 200
	pasteEnds   = 201
	enter       = 13
	interrupt   = 0x03
)

// read takes the next bytes that were typed, and reports whether there was a key among
// them.
func (t *typist) read(in []byte) (typed bool) {
	for _, c := range in {
		typed = t.key(c) || typed
	}
	return typed
}

func (t *typist) key(c byte) (typed bool) {
	switch t.state {
	case metaKey:
		return t.meta(c)
	case function:
		t.state = plainKeys
		return true
	case sequence:
		return t.numeral(c)
	case saying:
		switch c {
		case bel:
			t.state = plainKeys
		case esc:
			t.state = sayingOver
		}
		return false
	case sayingOver:
		if t.state = saying; c == '\\' {
			t.state = plainKeys
		}
		return false
	}
	switch {
	case c == esc:
		t.state = metaKey
		return false // it is one if nothing follows; then it is no text either
	case t.pasted:
		t.Unsent = true
	case c == '\r' || c == '\n' || c == interrupt:
		t.Unsent = false
	case c >= ' ' && c != 0x7f:
		t.Unsent = true
	}
	return true
}

// meta takes the byte behind ESC: a sequence begins, or a key was pressed with Alt.
func (t *typist) meta(c byte) bool {
	t.state = plainKeys
	switch c {
	case '[':
		t.state, t.number, t.first, t.comma = sequence, 0, 0, false
		return false
	case 'O':
		t.state = function
		return false
	case ']', 'P', '_', '^', 'X':
		t.state = saying
		return false
	case esc:
		t.state = metaKey
	}
	return true
}

// numeral takes a byte of ESC [ numbers letter.
func (t *typist) numeral(c byte) (typed bool) {
	switch {
	case c >= '0' && c <= '9':
		t.number = min(10*t.number+int(c-'0'), 1<<20)
		return false
	case c == ';' || c == ':':
		if !t.comma {
			t.first = t.number
		}
		t.comma, t.number = true, 0
		return false
	case c < '@' || c > '~': // <, ?, >: marks of answers and of the mouse
		if c == esc {
			t.state = metaKey
		}
		return false
	}
	if !t.comma {
		t.first = t.number
	}
	t.state = plainKeys
	switch {
	case c == '~' && t.first == pasteBegins:
		t.pasted = true
	case c == '~' && t.first == pasteEnds:
		t.pasted = false
	case c == 'u' && t.first == enter && (!t.comma || t.number <= 1): // with Shift it is a new line
		t.Unsent = false
	case c == 'u' && t.first > ' ' && t.first != 0x7f && (!t.comma || t.number <= 2):
		t.Unsent = true
	case c == 'I', c == 'O', c == 'M', c == 'm', c == 'R', c == 'c', c == 'n', c == 'y', c == 't': // the focus, the mouse, answers
		return false
	}
	return true
}
