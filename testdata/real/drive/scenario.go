package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// scenario is one file of scenarios/: what is done, and what must be seen, with one
// version of the CLI.
type scenario struct {
	Name     string
	Version  version
	Skipped  string // why it is not played; "": it is
	Settings string // the user's settings.json; "": none
	Trusted  bool   // whether the folder was trusted before
	Steps    []step
	Cards    map[string][]want // by pane
	Rings    []ring
	Count    int            // cards in all
	IDs      map[string]int // session ids a card had, by pane
}

// step is one thing done to a pane or to the world.
type step struct {
	Label, Pane, Verb, Rest string
}

// want is one expected status of a card, or several in a row that may be missing.
type want struct {
	Statuses []status
	Optional bool
}

// status is one expected status and what must hold while it lasts.
type status struct {
	Name  string
	Holds []field // in this order
	Timing
}

// field is a part of a session that must hold Text.
type field struct{ Key, Text string }

// Timing bounds a moment by a labelled step.
type Timing struct {
	After  string
	From   time.Duration // not sooner than this; 0: no bound
	Within time.Duration // not later than this; 0: no bound
}

// ring is one expected notice.
type ring struct {
	Kind string
	Timing
}

var labelled = regexp.MustCompile(`^([a-z0-9]+): (.*)$`)

func parse(path string, v version) (*scenario, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := &scenario{
		Name: strings.TrimSuffix(filepath.Base(path), ".txt"), Version: v, Trusted: true, Count: -1,
		Cards: map[string][]want{}, IDs: map[string]int{},
	}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if err := s.line(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	if s.Count < 0 {
		s.Count = len(s.Cards)
	}
	return s, lines.Err()
}

// line reads "[before V|since V] @pane label: verb rest", of which only the verb must be there.
func (s *scenario) line(line string) (err error) {
	line, counts, err := s.Version.guard(line)
	if err != nil || !counts {
		return err
	}
	st := step{Pane: "a"}
	if pane, rest, ok := strings.Cut(line, " "); ok && pane[0] == '@' {
		st.Pane, line = pane[1:], rest
	}
	if m := labelled.FindStringSubmatch(line); m != nil {
		st.Label, line = m[1], m[2]
	}
	st.Verb, st.Rest, _ = strings.Cut(line, " ")
	words := strings.Fields(st.Rest)
	switch st.Verb {
	case "skip":
		s.Skipped = st.Rest
	case "settings":
		s.Settings = st.Rest
	case "untrusted":
		s.Trusted = false
	case "cards":
		s.Count, err = strconv.Atoi(st.Rest)
	case "ids":
		s.IDs[st.Pane], err = strconv.Atoi(st.Rest)
	case "expect":
		var one status
		one, err = readStatus(words)
		s.Cards[st.Pane] = append(s.Cards[st.Pane], want{Statuses: []status{one}})
	case "maybe":
		w := want{Optional: true}
		for _, name := range words {
			w.Statuses = append(w.Statuses, status{Name: name})
		}
		s.Cards[st.Pane] = append(s.Cards[st.Pane], w)
	case "ring":
		r := ring{Kind: words[0]}
		r.Timing, err = readTiming(words[1:])
		s.Rings = append(s.Rings, r)
	default:
		if verbs[st.Verb] == nil {
			return fmt.Errorf("no verb is called %q", st.Verb)
		}
		s.Steps = append(s.Steps, st)
	}
	return err
}

// readStatus reads "waiting shells=1 after esc within 400ms".
func readStatus(words []string) (st status, err error) {
	if len(words) == 0 {
		return st, fmt.Errorf("a status is missing")
	}
	st.Name, words = words[0], words[1:]
	for len(words) > 0 {
		key, text, ok := strings.Cut(words[0], "=")
		if !ok {
			break
		}
		st.Holds, words = append(st.Holds, field{key, text}), words[1:]
	}
	st.Timing, err = readTiming(words)
	return st, err
}

// readTiming reads "after esc from 3s within 400ms", each part or none.
func readTiming(words []string) (t Timing, err error) {
	for ; len(words) >= 2; words = words[2:] {
		switch words[0] {
		case "after":
			t.After = words[1]
		case "from":
			t.From, err = time.ParseDuration(words[1])
		case "within":
			t.Within, err = time.ParseDuration(words[1])
		default:
			return t, fmt.Errorf("what is %q?", words[0])
		}
		if err != nil {
			return t, err
		}
	}
	if len(words) > 0 || t.After == "" && t != (Timing{}) {
		return t, fmt.Errorf("a bound needs the label of a step")
	}
	return t, nil
}
