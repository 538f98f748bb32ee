// Package clitest plays recordings of agent CLIs through their adapter and an
// engine, and checks what every adapter must keep.
package clitest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"deskbell/sources/raw"
)

// Recording is one run of a real CLI: a header, then one observation a line, in
// the format of "deskbell record".
type Recording struct {
	CLI      string `json:"cli"`
	Version  string `json:"version"`
	Date     string `json:"date"`
	Scenario string `json:"scenario"`
	Home     string `json:"home"` // where the CLI kept its files

	entries []raw.Line
}

// longestLine is more than any line of a recording.
const longestLine = 4 << 20

// Load reads a recording.
func Load(file string) (*Recording, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, longestLine)
	r := &Recording{}
	for n := 1; in.Scan(); n++ {
		if n == 1 {
			if err := json.Unmarshal(in.Bytes(), r); err != nil {
				return nil, fmt.Errorf("%s line 1: %w", file, err)
			}
			continue
		}
		var e raw.Line
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("%s line %d: %w", file, n, err)
		}
		if len(r.entries) > 0 && e.At.Before(r.entries[len(r.entries)-1].At) {
			return nil, fmt.Errorf("%s line %d: earlier than the line before", file, n)
		}
		r.entries = append(r.entries, e)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(r.entries) == 0 {
		return nil, fmt.Errorf("%s: nothing was observed", file)
	}
	return r, nil
}

// Gaps are the moments around which nothing was observed for at least a second.
func (r *Recording) Gaps() (out []time.Duration) {
	last := r.Began()
	for i := range r.entries {
		at := r.entries[i].At
		if r.entries[i].Raw == "" {
			continue
		}
		if gap := at.Sub(last); gap >= 2*time.Second {
			out = append(out, last.Add(gap/2).Sub(r.Began()))
		}
		last = at
	}
	return out
}

// Began is when the first thing was observed.
func (r *Recording) Began() time.Time { return r.entries[0].At }

// Lines are the lines of the CLI's logs.
func (r *Recording) Lines() (lines []string) {
	for i := range r.entries {
		if r.entries[i].Raw == "line" {
			lines = append(lines, r.entries[i].Line)
		}
	}
	return lines
}

// Texts are the CLI's files as they were read.
func (r *Recording) Texts() (texts []string) {
	for i := range r.entries {
		if e := &r.entries[i]; e.Raw == "file" && e.Text != nil && *e.Text != "" {
			texts = append(texts, *e.Text)
		}
	}
	return texts
}
