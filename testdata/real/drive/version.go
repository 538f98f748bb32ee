package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// version is one of the CLI, part by part; none is later than all others.
type version []int

func readVersion(text string) (v version, err error) {
	for part := range strings.SplitSeq(text, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, fmt.Errorf("%q is no version", text)
		}
		v = append(v, n)
	}
	return v, nil
}

var guarded = regexp.MustCompile(`^\[(before|since) ([^\]]*)\] +(.*)$`)

// guard takes the "[before 2.1.128]" or "[since 2.1.128]" off a line and tells whether
// the line counts for v.
func (v version) guard(line string) (rest string, counts bool, err error) {
	m := guarded.FindStringSubmatch(line)
	if m == nil {
		return line, true, nil
	}
	bound, err := readVersion(m[2])
	before := len(v) > 0 && slices.Compare(v, bound) < 0
	return m[3], before == (m[1] == "before"), err
}
