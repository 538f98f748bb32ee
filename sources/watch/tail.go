package watch

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// How much of a log is read, and how much of it is kept.
const (
	window    = 64 << 10 // a first read starts at most so far before the end
	longest   = 16 << 20 // longer lines are skipped
	leap      = 64 << 20 // a log that grew by more since the last look is joined near its end
	freshMost = 4 << 20  // a new log of more than that was only moved here
	markLen   = 256      // bytes before the position that tell a rewritten file
	chunkLen  = 64 << 10
)

// Log is an open log file.
type Log interface {
	io.ReaderAt
	Stat() (fs.FileInfo, error)
}

// Tail follows one log file without keeping it open. It hands out whole lines,
// each once, and notices when the file is not the one it was.
type Tail struct {
	Long int  // lines skipped because of their length
	New  bool // the log began after we did: its first read starts at the beginning

	begun bool
	from  int64       // where the first read starts, if resumed
	pos   int64       // everything before it has been read
	rest  []byte      // the unfinished line before pos
	skip  bool        // the line at pos is not wanted
	mark  []byte      // the bytes right before pos
	info  fs.FileInfo // the file read last
	some  bool        // a line was handed out
}

// Resume returns a Tail that goes on at a saved offset. An offset in the middle
// of a line goes on at the next one.
func Resume(offset int64) Tail { return Tail{from: offset} }

// Offset is where a later [Resume] may go on: the start of the unfinished line.
func (t *Tail) Offset() int64 { return t.pos - int64(len(t.rest)) }

// Read hands each new whole line to line, which must not keep it. It reports
// whether it started over because the file was cut, replaced or rewritten. buf
// is room to read into and may be shared by many tails.
func (t *Tail) Read(f Log, buf []byte, line func([]byte)) (over bool, err error) {
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	if t.begun {
		same, err := t.continues(f, info, buf)
		if err != nil {
			return false, err
		}
		if over = !same; over {
			*t = Tail{Long: t.Long}
		}
	}
	if t.begun {
		t.info = info
		return over, t.drain(f, buf, line)
	}
	from, long, fresh := t.from, t.Long, t.New && info.Size() <= freshMost
	for back := int64(window); ; back *= 4 {
		*t = Tail{info: info, begun: true, Long: long}
		start := max(0, info.Size()-back)
		if fresh {
			start = 0
		}
		resumed := from > start && from <= info.Size()
		if resumed {
			start = from
		}
		err := t.start(f, start)
		if err == io.EOF { // it was cut since it was looked at: what is written to it next is read
			*t = Tail{Long: long}
			return over, nil
		}
		if err == nil {
			err = t.drain(f, buf, line)
		}
		if err != nil || t.some || resumed || start == 0 || back >= longest {
			return over, err
		}
	}
}

// continues reports whether what was read so far is still the beginning of f.
// The bytes before the position tell a rewrite that did not shrink the file.
func (t *Tail) continues(f Log, info fs.FileInfo, buf []byte) (bool, error) {
	if !sameFile(t.info, info) || info.Size() < t.pos || info.Size()-t.pos > leap {
		return false, nil
	}
	have := buf[:len(t.mark)]
	n, err := f.ReadAt(have, t.pos-int64(len(have)))
	if n < len(have) && err != io.EOF {
		return false, err
	}
	return n == len(have) && bytes.Equal(have, t.mark), nil
}

// sameFile is os.SameFile, except that files of another kind count as the same.
func sameFile(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) || !os.SameFile(a, a)
}

// start places the position. In the middle of a line the rest of it is skipped.
func (t *Tail) start(f Log, pos int64) error {
	t.pos, t.mark = pos, make([]byte, min(pos, markLen), markLen)
	if pos == 0 {
		return nil
	}
	n, err := f.ReadAt(t.mark, pos-int64(len(t.mark)))
	if n < len(t.mark) {
		return err
	}
	t.skip = t.mark[n-1] != '\n'
	return nil
}

// longestFirst is how long the first line of a log may be that says whose it is.
const longestFirst = 1 << 20

// firstLine is the first line of f, "" while it is not complete.
func firstLine(f Log, buf []byte) (string, error) {
	var line []byte
	for {
		n, err := f.ReadAt(buf, int64(len(line)))
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			return string(append(line, buf[:i]...)), nil
		}
		line = append(line, buf[:n]...)
		switch {
		case len(line) > longestFirst:
			return "", fmt.Errorf("its first line has more than %d MB", longestFirst>>20)
		case err == io.EOF:
			return "", nil
		case err != nil:
			return "", err
		}
	}
}

// drain reads from the position to the end.
func (t *Tail) drain(f Log, buf []byte, line func([]byte)) error {
	for {
		n, err := f.ReadAt(buf, t.pos)
		if n > 0 {
			t.pos += int64(n)
			t.remember(buf[:n])
			t.feed(buf[:n], line)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (t *Tail) remember(chunk []byte) {
	if len(chunk) > markLen {
		chunk = chunk[len(chunk)-markLen:]
	}
	if extra := len(t.mark) + len(chunk) - markLen; extra > 0 {
		t.mark = t.mark[:copy(t.mark, t.mark[extra:])]
	}
	t.mark = append(t.mark, chunk...)
}

// feed splits a chunk into lines. It changes the chunk.
func (t *Tail) feed(chunk []byte, line func([]byte)) {
	for {
		i := bytes.IndexByte(chunk, '\n')
		part := chunk
		if i >= 0 {
			part, chunk = chunk[:i], chunk[i+1:]
		}
		if !t.skip && len(t.rest)+len(part) > longest {
			t.skip, t.rest = true, nil
			t.Long++
		}
		switch {
		case i < 0:
			if !t.skip {
				t.rest = append(t.rest, part...)
			}
			return
		case t.skip:
			t.skip = false
		case len(t.rest) > 0:
			t.hand(append(t.rest, part...), line)
			t.rest = nil
		default:
			t.hand(part, line)
		}
	}
}

// hand cleans a line. After a power loss a line may begin with a run of NUL bytes.
func (t *Tail) hand(text []byte, line func([]byte)) {
	if bytes.IndexByte(text, 0) >= 0 {
		clean := text[:0]
		for _, b := range text {
			if b != 0 {
				clean = append(clean, b)
			}
		}
		text = clean
	}
	text = bytes.TrimSuffix(text, []byte{'\r'})
	if len(text) > 0 {
		t.some = true
		line(text)
	}
}
