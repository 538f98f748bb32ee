package sources

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOneLine(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""}, {"  a \n\t b\x00c ", "a b c"}, {"a\xffb", "ab"}, {"äö", "äö"},
		{strings.Repeat("x", 300), strings.Repeat("x", Longest)},
		{strings.Repeat("x", Longest-1) + " y", strings.Repeat("x", Longest-1)},
	} {
		if got := OneLine(tt.in); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestSentence(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"Fix it. Then test.", "Fix it."}, {"go to example.com now\nmore", "go to example.com now"}, {"why?", "why?"},
		{strings.Repeat("ab ", 40), strings.TrimSpace(strings.Repeat("ab ", 19)+"ab") + "…"},
	} {
		got := Sentence(tt.in)
		if got != tt.want || utf8.RuneCountInString(got) > longestTitle {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestKey(t *testing.T) {
	if Key("run", "ls  -l") != Key("run", "ls -l ") {
		t.Error("blanks tell calls apart")
	}
	if Key("run", "ls") == Key("run", "pwd") || Key("run", "ls") == Key("walk", "ls") {
		t.Error("calls are not told apart")
	}
}

func TestAlone(t *testing.T) {
	procs := func(list ...Proc) map[int]Proc {
		m := map[int]Proc{}
		for _, p := range list {
			m[p.PID] = p
		}
		return m
	}
	one, two := []string{"node", "x"}, []string{"node", "--more", "x"}
	for _, tt := range []struct {
		name       string
		relaunches bool
		runs       map[int]Proc
		want       []int
	}{
		{"two", true, procs(Proc{PID: 1, Args: one}, Proc{PID: 2, Args: one}), []int{1, 2}},
		{"a fork", true, procs(Proc{PID: 1, Args: one}, Proc{PID: 2, Parent: 1, Args: one}), []int{1}},
		{"started once more", true, procs(Proc{PID: 1, Args: one}, Proc{PID: 2, Parent: 1, Args: two}), []int{2}},
		{"... and forked", true, procs(Proc{PID: 1, Args: one}, Proc{PID: 2, Parent: 1, Args: two}, Proc{PID: 3, Parent: 2, Args: two}), []int{2}},
		{"a child of one that does not", false, procs(Proc{PID: 1, Args: one}, Proc{PID: 2, Parent: 1, Args: two}), []int{1}},
	} {
		c := CLI{Relaunches: tt.relaunches}
		alone := c.Alone(tt.runs)
		for pid := range tt.runs {
			want := false
			for _, w := range tt.want {
				want = want || w == pid
			}
			if alone[pid] != want {
				t.Errorf("%s: %d alone is %v, want %v", tt.name, pid, alone[pid], want)
			}
		}
	}
}
