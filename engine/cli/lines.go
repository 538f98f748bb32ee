package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// longestLine is what a line of a record may have: one transcript line is at most 16 MB,
// and its quotes are quoted again.
const longestLine = 64 << 20

var errLong = fmt.Errorf("longer than %d MB", longestLine>>20)

// eachLine hands each line of in to take, with its number, counted from 1. One that is too
// long is an error instead. It returns how many there were.
func eachLine(in io.Reader, take func(n int, line []byte, err error) error) (n int, err error) {
	r := bufio.NewReaderSize(in, 64<<10)
	var long []byte // a line that does not fit the reader
	over := false
	for {
		part, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if over = over || len(long)+len(part) > longestLine; over {
				long = nil
			} else {
				long = append(long, part...)
			}
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return n, err
		}
		line := part
		if over = over || len(long)+len(part) > longestLine; len(long) > 0 && !over {
			line = append(long, part...)
		}
		if len(line) > 0 || over {
			n++
			var wrong error
			if over {
				line, wrong = nil, errLong
			}
			if line = bytes.TrimSpace(line); len(line) > 0 || over {
				if err := take(n, line, wrong); err != nil {
					return n, err
				}
			}
		}
		if err != nil {
			return n, nil
		}
		long, over = nil, false
	}
}
