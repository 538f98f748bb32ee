package config

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Problem is something in the file that cannot be.
type Problem struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"` // from 1; 0: the file itself
	Key  string `json:"key,omitempty"`  // as "limits.rest"; "": no key's
	Text string `json:"text"`           // what is wrong and what to do
}

// String is the problem in one line, as compilers tell theirs.
func (p Problem) String() string { return p.in(p.File, ":") }

// Short is String for where there is little room: the file without its folder.
func (p Problem) Short() string { return p.in(filepath.Base(p.File), " line ") }

func (p Problem) in(file, line string) string {
	var b strings.Builder
	b.WriteString(file)
	if p.Line > 0 {
		fmt.Fprint(&b, line, p.Line)
	}
	b.WriteString(": ")
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	b.WriteString(p.Text)
	return b.String()
}

// meant asks whether one of the known names was meant; "" if none is near.
func meant(name string, known []string) string {
	if near := nearest(name, known); near != "" {
		return fmt.Sprintf(", did you mean %q?", near)
	}
	return ""
}

// nearest is the known name that is most like name: at most a third of it differs.
func nearest(name string, known []string) string {
	best, least := "", len(plain(name))/3+1
	for _, k := range known {
		if d := distance(plain(name), plain(k)); d < least || d == 0 {
			best, least = k, d
		}
	}
	return best
}

// plain is a name without what people spell this way or that.
func plain(name string) string {
	if len(name) > 64 {
		name = name[:64]
	}
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

// distance is how many letters have to be put in, taken out, exchanged or swapped.
func distance(a, b string) int {
	var before, above []int // the rows for one and two letters of a less
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before, above, row = above, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, above[j]+change)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
