package client

// What is kept of a payload. One of up to whole bytes, nearly all are, goes as it is.
// Of a larger one the long strings are shortened, and members that are large even so
// are left out: the small ones, which say what happened, are always there.
const (
	whole   = 64 << 10
	member  = 40 << 10 // of one member of the outermost object
	outer   = 4 << 10  // of a string that is such a member
	inner   = 512      // of a string further in
	reserve = 16       // for what closes the object
)

// value is one JSON value as it comes in. Its memory does not grow with it.
type value struct {
	scan scanner
	size int64
	done bool
	n    int // bytes in room
	cut  cutter
	room [whole]byte
	kept [whole]byte
}

// take adds what was passed as an argument.
func (v *value) take(text string) {
	for len(text) > 0 && !v.done {
		n := copy(v.free(), text)
		v.add(n)
		text = text[n:]
	}
}

// free is where the next bytes go; never empty.
func (v *value) free() []byte {
	if v.n == len(v.room) {
		if v.cut.out == nil {
			v.cut = cutter{out: v.kept[:0], whole: whole, member: member, outer: outer, inner: inner}
		}
		v.cut.add(v.room[:v.n])
		v.n = 0
	}
	return v.room[v.n:]
}

// add takes in n bytes that were put into free.
func (v *value) add(n int) {
	text := v.room[v.n : v.n+n]
	began := v.scan.begun
	skipped, n, done := v.scan.next(text)
	if !began && skipped > 0 {
		copy(text, text[skipped:n])
		n -= skipped
	}
	v.size += int64(n)
	v.n += n
	v.done = done
}

// finish returns what is to be sent, once the value is complete or nothing more comes.
func (v *value) finish() (text []byte, size int64, cut bool) {
	if v.cut.out == nil {
		return v.room[:v.n], v.size, false
	}
	v.cut.add(v.room[:v.n])
	v.n = 0
	return v.cut.finish(), v.size, true
}
