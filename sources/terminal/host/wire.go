package host

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// word is what a relay tells, one a line: the first one is its greeting, each further one
// has one of the other fields.
type word struct {
	Hello *greeting `json:"hello,omitempty"`
	Title *string   `json:"title,omitempty"`
	Drew  bool      `json:"drew,omitempty"`  // something was printed
	Typed *typed    `json:"typed,omitempty"` // something was typed
	Runs  int       `json:"runs,omitempty"`  // the process that runs in it now
	Ended *int      `json:"ended,omitempty"` // ... has ended with this status
	Did   *did      `json:"did,omitempty"`
}

// greeting is which terminal it is. It is said again to each deskbell that comes to be.
type greeting struct {
	Term  string `json:"term"`
	TTY   string `json:"tty"` // its own, which nothing but what runs in it has
	Relay int    `json:"relay"`
}

type typed struct {
	Unsent bool `json:"unsent"`
}

// did is the answer to an order.
type did struct {
	N     int    `json:"n"`
	Error string `json:"error,omitempty"`
}

// order is what deskbell wants of a relay.
type order struct {
	N     int    `json:"n"`
	Type  string `json:"type,omitempty"`
	Enter bool   `json:"enter,omitempty"`
	Close bool   `json:"close,omitempty"`
}

// longestLine bounds what one line may have.
const longestLine = 256 << 10

var errLong = errors.New("a line that is too long")

// lines reads values, one a line.
type lines struct{ in *bufio.Reader }

func newLines(r io.Reader) lines { return lines{bufio.NewReaderSize(r, 1024)} }

// next reads the next line into v. What v has no field for is of a later version.
func (l lines) next(v any) error {
	var text []byte
	for {
		part, err := l.in.ReadSlice('\n')
		if len(text)+len(part) > longestLine {
			return errLong
		}
		if err == nil && text == nil {
			return json.Unmarshal(part, v)
		}
		if text = append(text, part...); err == nil {
			return json.Unmarshal(text, v)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// line is v as it is sent.
func line(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return nil // of nothing that could fail
	}
	return append(text, '\n')
}

// check reports what is wrong with a greeting.
func (g greeting) check() error {
	switch {
	case !form.MatchString(g.Term):
		return fmt.Errorf("%.80q is no name of a terminal", g.Term)
	case !strings.HasPrefix(g.TTY, "/dev/") || strings.ContainsFunc(g.TTY, unicode.IsControl) || len(g.TTY) > 64:
		return fmt.Errorf("%.80q is no terminal", g.TTY)
	}
	return nil
}

// keystrokes are what types text. Where pastes are marked, several lines are one paste;
// elsewhere they become one line, for each end of a line would send what is there.
func keystrokes(text string, pastes bool) string {
	many := strings.ContainsAny(text, "\r\n")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' && pastes, r == '\t' && many && pastes:
			return r
		case r == '\n', r == '\t':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"))
	if many && pastes {
		return "\x1b[200~" + text + "\x1b[201~"
	}
	return text
}
