package main

import (
	"fmt"
	"slices"
	"strings"
)

// statuses is a card's life on one line.
func (c card) statuses() string {
	var names []string
	for _, m := range c.Moves {
		names = append(names, m.Status)
	}
	return list(names)
}

// values returns the distinct values a field had over a card's life.
func (c card) values(key string) (values []string) {
	for _, m := range c.Moves {
		for _, s := range m.Versions {
			if text := s.text(key); text != "" && !slices.Contains(values, text) {
				values = append(values, text)
			}
		}
	}
	return values
}

func (c card) had(key, value string) bool { return slices.Contains(c.values(key), value) }

// describe is a list of wants on one line.
func describe(wants []want) string {
	var words []string
	for _, w := range wants {
		var names []string
		for _, st := range w.Statuses {
			name := st.Name
			for _, f := range st.Holds {
				name += fmt.Sprintf("[%s=%s]", f.Key, f.Text)
			}
			names = append(names, name)
		}
		word := strings.Join(names, " ")
		if w.Optional {
			word = "(" + word + ")"
		}
		words = append(words, word)
	}
	return list(words)
}

func list(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, " ")
}

// row is the verdict as a line of the table.
func (v verdict) row(name string) string {
	ok := "ok"
	if len(v.Wrong) > 0 {
		ok = "FAILED: " + strings.Join(v.Wrong, "; ")
	}
	return fmt.Sprintf("%-18s | %s | %s | %s | %s", name,
		strings.Join(v.Expected, " / "), strings.Join(v.Seen, " / "), strings.Join(v.Times, ", "), ok)
}
