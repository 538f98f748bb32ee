package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var start0 = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

// at is a moment of a made-up run, in milliseconds.
func at(ms int) time.Time { return start0.Add(time.Duration(ms) * time.Millisecond) }

func read(t *testing.T, lines ...string) *scenario {
	t.Helper()
	s := &scenario{Cards: map[string][]want{}, IDs: map[string]int{}, Count: 1}
	for _, line := range lines {
		if err := s.line(line); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
	}
	return s
}

// lived is a card that had these statuses, a second each.
func lived(statuses ...string) card {
	c := card{ID: "s1"}
	for i, status := range statuses {
		c.Moves = append(c.Moves, move{At: at(1000 * i), Status: status, Versions: []session{{"pid": 41, "session_id": "x"}}})
	}
	return c
}

func TestJudge(t *testing.T) {
	base := []string{"expect idle", "expect working", "maybe approval working", "expect waiting after end from 100ms within 400ms"}
	for _, tt := range []struct {
		name  string
		more  []string
		seen  witnessed
		wrong string // a part of it; "": nothing is
	}{
		{name: "as expected", seen: witnessed{Cards: []card{lived("idle", "working", "waiting")}, Marks: map[string]time.Time{"end": at(1800)}}},
		{name: "prompting goes without saying", seen: witnessed{Cards: []card{lived("idle", "prompting", "working", "waiting")}, Marks: map[string]time.Time{"end": at(2800)}}},
		{name: "with what may be missing", seen: witnessed{Cards: []card{lived("idle", "working", "approval", "working", "waiting")}, Marks: map[string]time.Time{"end": at(3800)}}},
		{name: "one status more", seen: witnessed{Cards: []card{lived("idle", "working", "waiting", "idle")}, Marks: map[string]time.Time{"end": at(1800)}}, wrong: "other statuses"},
		{name: "one status less", seen: witnessed{Cards: []card{lived("idle", "waiting")}}, wrong: "other statuses"},
		{name: "too late", seen: witnessed{Cards: []card{lived("idle", "working", "waiting")}, Marks: map[string]time.Time{"end": at(1500)}}, wrong: "500 ms after end"},
		{name: "too soon", seen: witnessed{Cards: []card{lived("idle", "working", "waiting")}, Marks: map[string]time.Time{"end": at(1950)}}, wrong: "50 ms after end"},
		{name: "a card too many", seen: witnessed{Cards: []card{lived("idle", "working", "waiting"), lived("idle")}, Marks: map[string]time.Time{"end": at(1800)}}, wrong: "2 cards, want 1"},
		{name: "a field that is missing", more: []string{"expect idle shells=1"}, seen: witnessed{Cards: []card{lived("idle", "working", "waiting", "idle")}, Marks: map[string]time.Time{"end": at(1800)}}, wrong: "idle without shells=1"},
		{name: "a notice nobody wants", seen: witnessed{Cards: []card{lived("idle", "working", "waiting")}, Marks: map[string]time.Time{"end": at(1800)}, Rings: []notice{{Kind: "waiting"}}}, wrong: "other notices"},
		{name: "a notice that stays", seen: witnessed{Cards: []card{lived("idle", "working", "waiting")}, Marks: map[string]time.Time{"end": at(1800)}, Open: []notice{{Kind: "approval"}}}, wrong: "stays open"},
	} {
		v := judge(read(t, append(base, tt.more...)...), tt.seen)
		got := strings.Join(v.Wrong, "; ")
		if got != tt.wrong && (tt.wrong == "" || !strings.Contains(got, tt.wrong)) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.wrong)
		}
	}
}

func TestMissingKeepsTheOrder(t *testing.T) {
	st := status{Name: "approval", Holds: []field{{"asks", "one"}, {"asks", "two"}}}
	m := move{Versions: []session{{"asks": "Bash: touch two"}, {"asks": "Bash: touch one"}}}
	if got := missing(st, m); len(got) != 1 {
		t.Errorf("got %q, want the second one missing", got)
	}
	m.Versions = append(m.Versions, m.Versions[0])
	if got := missing(st, m); len(got) != 0 {
		t.Errorf("got %q, want none", got)
	}
}

func TestGuards(t *testing.T) {
	old, err := readVersion("2.1.100")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		line   string
		v      version
		rest   string
		counts bool
	}{
		{"expect idle", old, "expect idle", true},
		{"[before 2.1.128] expect idle", old, "expect idle", true},
		{"[since 2.1.128] expect idle", old, "expect idle", false},
		{"[before 2.1.100] expect idle", old, "expect idle", false},
		{"[since 2.1.100] @b end: see x", old, "@b end: see x", true},
		{"[since 2.1.99] expect idle", old, "expect idle", true},
		{"[before 2.2] expect idle", old, "expect idle", true},
		{"[before 2.1.128] expect idle", nil, "expect idle", false},
		{"[since 2.1.128] expect idle", nil, "expect idle", true},
	} {
		if rest, counts, err := tt.v.guard(tt.line); rest != tt.rest || counts != tt.counts || err != nil {
			t.Errorf("%v: %q: got %q, %v, %v", tt.v, tt.line, rest, counts, err)
		}
	}
	if _, _, err := old.guard("[before now] expect idle"); err == nil {
		t.Error("[before now]: no error")
	}
}

func TestEveryScenarioParses(t *testing.T) {
	for _, v := range []version{{2, 1, 100}, {2, 1, 332}} {
		everyScenarioParses(t, v)
	}
}

func everyScenarioParses(t *testing.T, v version) {
	t.Helper()
	names, err := filepath.Glob("../scenarios/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("got %d scenarios, %v", len(names), err)
	}
	for _, name := range names {
		s, err := parse(name, v)
		if err != nil {
			t.Error(err)
			continue
		}
		labels := map[string]bool{"": true}
		for _, st := range s.Steps {
			labels[st.Label] = true
		}
		for _, r := range s.Rings {
			if !labels[r.After] {
				t.Errorf("%s: no step is labelled %q", name, r.After)
			}
		}
		for _, wants := range s.Cards {
			for _, w := range wants {
				for _, st := range w.Statuses {
					if !labels[st.After] {
						t.Errorf("%s: no step is labelled %q", name, st.After)
					}
				}
			}
		}
	}
}
