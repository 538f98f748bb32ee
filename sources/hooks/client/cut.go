package client

// cutter copies a JSON object and leaves out what is long. What it makes of a valid
// object is a valid object.
type cutter struct {
	whole, member, outer, inner int // the limits

	out      []byte
	depth    int
	done     bool
	any      bool // a member is in out
	start    int  // where in out the current member starts, with its comma
	drop     bool // the current member does not fit
	str, esc bool // inside a string, after a backslash
	hex      int  // digits of a \u that are to come
	length   int  // of the string so far
	rest     bool // the rest of the string is left out
}

func (c *cutter) add(text []byte) {
	for i := 0; i < len(text) && !c.done; i++ {
		if c.str && !c.esc && (c.rest || c.drop) { // nothing is kept until it ends
			c.hex = 0
			if i = unquoted(text, i); i == len(text) {
				return
			}
		}
		if c.str {
			c.inside(text[i])
		} else {
			c.outside(text[i])
		}
	}
}

// inside takes a byte of a string. A string is only cut between characters.
func (c *cutter) inside(b byte) {
	switch {
	case c.esc:
		c.esc = false
		if b == 'u' {
			c.hex = 4
		}
	case b == '"':
		c.str = false
		c.put(b)
		return
	case c.hex > 0:
		c.hex--
	case b&0xc0 == 0x80: // not the first byte of a character
	default:
		limit := c.inner
		if c.depth == 1 {
			limit = c.outer
		}
		c.rest = c.rest || c.length >= limit
		c.esc = b == '\\'
	}
	c.length++
	if !c.rest {
		c.put(b)
	}
}

func (c *cutter) outside(b byte) {
	if c.depth == 0 && b != '{' {
		c.done = true // no object: there is nothing small about it
		return
	}
	switch b {
	case '"':
		c.str, c.length, c.rest, c.hex = true, 0, false, 0
	case '{', '[':
		c.depth++
		if c.depth == 1 {
			c.out = append(c.out, b)
			c.start = len(c.out)
			return
		}
	case '}', ']':
		if c.depth--; c.depth == 0 {
			c.done = true
			c.end()
			return
		}
	case ',':
		if c.depth == 1 {
			c.end()
			if !c.any {
				return
			}
		}
	}
	c.put(b)
}

// end closes the current member.
func (c *cutter) end() {
	if !c.drop && len(c.out) > c.start {
		c.any = true
	}
	c.start, c.drop = len(c.out), false
}

func (c *cutter) put(b byte) {
	if c.drop {
		return
	}
	if len(c.out) >= c.whole-reserve || len(c.out)-c.start >= c.member {
		c.out, c.drop = c.out[:c.start], true
		return
	}
	c.out = append(c.out, b)
}

// finish returns the object. A member that is not complete is left out.
func (c *cutter) finish() []byte {
	if len(c.out) == 0 {
		return nil
	}
	if !c.done {
		c.out = c.out[:c.start]
	}
	return append(c.out, '}')
}
