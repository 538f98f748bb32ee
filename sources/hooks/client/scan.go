package client

// scanner finds the end of the first JSON value in a text that comes in parts.
// Whether it is valid JSON is not its concern.
type scanner struct {
	begun, scalar bool
	str, esc      bool // inside a string, after a backslash
	depth         int
}

// next looks at the next part: text[from:to] belongs to the value, done tells that it
// ends there. What comes before the value is skipped: blanks and a byte order mark.
func (s *scanner) next(text []byte) (from, to int, done bool) {
	i := 0
	if !s.begun {
		for i < len(text) && (blank(text[i]) || text[i] >= 0xbb) { // EF BB BF
			i++
		}
		if i == len(text) {
			return i, i, false
		}
		from = i
		s.begin(text[i])
		i++
	}
	for ; i < len(text); i++ {
		if s.str && !s.esc {
			if i = unquoted(text, i); i == len(text) {
				break
			}
		}
		c := text[i]
		switch {
		case s.esc:
			s.esc = false
		case s.str:
			if s.esc = c == '\\'; s.esc {
				continue
			}
			s.str = false
			if s.depth == 0 {
				return from, i + 1, true
			}
		case s.scalar:
			if blank(c) {
				return from, i, true
			}
		case c == '"':
			s.str = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth--; s.depth == 0 {
				return from, i + 1, true
			}
		}
	}
	return from, i, false
}

func (s *scanner) begin(c byte) {
	s.begun = true
	switch c {
	case '{', '[':
		s.depth = 1
	case '"':
		s.str = true
	default:
		s.scalar = true
	}
}

// unquoted returns where from i on a string may end: at a quote or a backslash. In a
// large payload nearly all time is spent here.
func unquoted(text []byte, i int) int {
	for ; i < len(text); i++ {
		if c := text[i]; c == '"' || c == '\\' {
			return i
		}
	}
	return i
}

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
