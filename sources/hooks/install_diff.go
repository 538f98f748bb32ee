package hooks

import (
	"bytes"
	"fmt"
	"strings"
)

// around is how many lines are shown on either side of a change.
const around = 3

// row is a line of a diff: ' ' stays, '-' goes, '+' comes.
type row struct {
	sign byte
	text string
}

// diff returns the unified diff that makes new of old, nil: no file.
func diff(path string, old, new []byte) string {
	from, to := path, path
	if old == nil {
		from = "/dev/null"
	}
	if new == nil {
		to = "/dev/null"
	}
	rows := compared(lines(old), lines(new))
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", from, to)
	oldLine, newLine := 1, 1
	for i := 0; i < len(rows); {
		if rows[i].sign == ' ' {
			i, oldLine, newLine = i+1, oldLine+1, newLine+1
			continue
		}
		start := max(0, i-around)
		end := i
		for last := i; end < len(rows) && end <= last+2*around; end++ { // changes that are near go together
			if rows[end].sign != ' ' {
				last = end
			}
		}
		for end > i && rows[end-1].sign == ' ' {
			end--
		}
		end = min(len(rows), end+around)
		hunk := rows[start:end]
		oldLine, newLine = oldLine-(i-start), newLine-(i-start)
		olds, news := count(hunk, '-'), count(hunk, '+')
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", span(oldLine, olds), span(newLine, news))
		for _, r := range hunk {
			b.WriteByte(r.sign)
			b.WriteString(visible(r.text))
			if !strings.HasSuffix(r.text, "\n") {
				b.WriteString("\n\\ No newline at end of file\n")
			}
		}
		i, oldLine, newLine = end, oldLine+olds, newLine+news
	}
	return b.String()
}

// visible returns text without what would change how a terminal shows the rest.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f || 0x80 <= r && r < 0xa0 {
			return '\ufffd'
		}
		return r
	}, text)
}

// count returns how many lines of a file are in rows: those with sign, and those that stay.
func count(rows []row, sign byte) (n int) {
	for _, r := range rows {
		if r.sign == sign || r.sign == ' ' {
			n++
		}
	}
	return n
}

// span is a range of lines as a diff tells it.
func span(first, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", first-1)
	case 1:
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d,%d", first, n)
}

// lines divides text, each with its end.
func lines(text []byte) []string {
	var all []string
	for line := range bytes.Lines(text) {
		all = append(all, string(line))
	}
	return all
}

// widest is how many pairs of lines are compared. Above that, what is between the
// first change and the last is shown as changed.
const widest = 4 << 20

// compared returns the lines of a and b, with those they share in their order.
func compared(a, b []string) (rows []row) {
	var end []row
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		rows = append(rows, row{' ', a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		end = append(end, row{' ', a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	// shared[i][j] is how many lines a[i:] and b[j:] have in common.
	var shared [][]int32
	if len(a)*len(b) <= widest {
		shared = make([][]int32, len(a)+1)
		for i := len(a); i >= 0; i-- {
			shared[i] = make([]int32, len(b)+1)
			for j := len(b) - 1; j >= 0 && i < len(a); j-- {
				if a[i] == b[j] {
					shared[i][j] = shared[i+1][j+1] + 1
				} else {
					shared[i][j] = max(shared[i+1][j], shared[i][j+1])
				}
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case shared != nil && i < len(a) && j < len(b) && a[i] == b[j]:
			rows = append(rows, row{' ', a[i]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || shared == nil || shared[i+1][j] >= shared[i][j+1]):
			rows = append(rows, row{'-', a[i]})
			i++
		default:
			rows = append(rows, row{'+', b[j]})
			j++
		}
	}
	for k := len(end) - 1; k >= 0; k-- {
		rows = append(rows, end[k])
	}
	return rows
}
