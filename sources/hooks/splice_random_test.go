package hooks

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// scribe writes random settings files.
type scribe struct {
	*rand.Rand
	strings.Builder
	line   string
	jsonc  bool // with comments and trailing commas
	ours   bool // with entries of ours in it
	indent int
}

func (s *scribe) pick(texts ...string) { s.WriteString(texts[s.IntN(len(texts))]) }

// space writes white space and comments.
func (s *scribe) space() {
	for s.IntN(2) == 0 {
		switch s.IntN(6) {
		case 0, 1:
			s.pick(" ", "  ", "\t")
		case 2, 3:
			s.WriteString(s.line + strings.Repeat(" ", s.indent))
		case 4:
			if s.jsonc {
				s.pick("/**/", "/* x */", "/* { \" */", "/*"+s.line+"*/", "/* // */")
			}
		case 5:
			if s.jsonc {
				s.pick("//", "// x", "// }]\" ", "// /*", "//\t", "// \r")
				s.pick("\n", "\r\n", s.line)
			}
		}
	}
}

// list writes n items between brackets.
func (s *scribe) list(open, close string, n int, each func(i int)) {
	s.WriteString(open)
	s.indent++
	for i := range n {
		s.space()
		each(i)
		s.space()
		if i < n-1 || s.jsonc && s.IntN(4) == 0 {
			s.WriteString(",")
		}
	}
	s.space()
	s.indent--
	s.WriteString(close)
}

func (s *scribe) object(members ...func()) {
	s.list("{", "}", len(members), func(i int) { members[i]() })
}

func (s *scribe) named(name string, value func()) func() {
	return func() {
		fmt.Fprintf(s, "%q", name)
		s.space()
		s.WriteString(":")
		s.space()
		value()
	}
}

func (s *scribe) value(depth int) func() {
	return func() {
		switch n := s.IntN(8); {
		case n == 0 && depth > 0:
			s.list("[", "]", s.IntN(4), func(int) { s.value(depth - 1)() })
		case n == 1 && depth > 0:
			s.object(s.members(depth-1, s.IntN(4))...)
		default:
			s.pick("null", "true", "-1.5e3", "0", `""`, `"x"`, `"// \" /* "`, `"ü\u00e4"`, `"{[,"`)
		}
	}
}

func (s *scribe) members(depth, n int) (all []func()) {
	for i := range n {
		all = append(all, s.named(fmt.Sprint("k", i), s.value(depth)))
	}
	return all
}

func (s *scribe) entry() {
	if s.ours && s.IntN(3) == 0 {
		path := []string{"deskbell-hook", "/old/bin/deskbell-hook claude", "'/a b/deskbell-hook' claude Stop"}[s.IntN(3)]
		s.object(append(s.members(1, s.IntN(2)), s.named("command", func() { fmt.Fprintf(s, "%q", path) }))...)
		return
	}
	s.object(s.named("type", func() { s.WriteString(`"command"`) }), s.named("command", func() { s.pick(`"say"`, `"x deskbell-hook"`) }))
}

func (s *scribe) group() {
	all := []func(){s.named("hooks", func() { s.list("[", "]", s.IntN(3), func(int) { s.entry() }) })}
	if s.IntN(3) == 0 {
		all = append(all, s.named("matcher", func() { s.pick(`""`, `"*"`, `"Bash"`) }))
	}
	s.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	s.object(all...)
}

func (s *scribe) hooks() {
	var all []func()
	for _, event := range []string{"Stop", "PreToolUse", "SessionEnd", "FileChanged", "TaskCreated"} {
		if s.IntN(2) == 0 {
			all = append(all, s.named(event, func() { s.list("[", "]", s.IntN(3), func(int) { s.group() }) }))
		}
	}
	s.object(all...)
}

// settings writes a whole file.
func (s *scribe) settings() []byte {
	s.Reset()
	s.line = []string{"\n", "\r\n"}[s.IntN(2)]
	s.jsonc = s.IntN(3) > 0
	s.pick("", "", "", "\ufeff")
	all := s.members(3, s.IntN(4))
	if s.IntN(3) > 0 {
		all = append(all, s.named("hooks", s.hooks))
	}
	s.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	s.space()
	s.object(all...)
	s.space()
	return []byte(s.String())
}

// TestRandomFiles checks what must hold for each file: out of it comes what went
// in, and in between nothing else has another meaning.
func TestRandomFiles_C78_C81_C83(t *testing.T) {
	for seed := range uint64(300) {
		s := &scribe{Rand: rand.New(rand.NewPCG(seed, 1)), ours: seed%3 == 0}
		first := s.settings()
		w := wanted(densities[s.IntN(3)])
		out, err := claude.installed(first, first, w)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, first)
		}
		back, err := claude.uninstalled(out, first)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, out)
		}
		bare, err := claude.uninstalled(first, first)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, first)
		}
		if !s.ours && !bytes.Equal(back, first) {
			t.Fatalf("seed %d: got back\n%q\nwant\n%q\ninstalled\n%s", seed, back, first, out)
		}
		if got, want := meaning(t, back), meaning(t, bare); got != want {
			t.Fatalf("seed %d: means\n%s\nwant\n%s\nfirst\n%s\ninstalled\n%s", seed, got, want, first, out)
		}
	}
}

// FuzzSplice feeds anything: it is refused, or goes in once and comes out again.
func FuzzSplice(f *testing.F) {
	for _, test := range hostile {
		if len(test.text) < 2000 {
			f.Add([]byte(test.text))
		}
	}
	for _, test := range broken {
		if len(test.text) < 2000 {
			f.Add([]byte(test.text))
		}
	}
	for seed := range uint64(50) {
		s := &scribe{Rand: rand.New(rand.NewPCG(seed, 2)), ours: seed%2 == 0}
		f.Add(s.settings())
	}
	f.Fuzz(func(t *testing.T, first []byte) {
		w := wanted(Low)
		out, err := claude.installed(first, first, w)
		if err != nil {
			if err == errUnsafe {
				t.Fatalf("unsafe: %q", first)
			}
			return
		}
		_, body := unmarked(out)
		if err := claude.holds(body, w); err != nil {
			t.Fatalf("%q became %q", first, out)
		}
		again, err := claude.installed(out, first, w)
		if err != nil || !bytes.Equal(out, again) {
			t.Fatalf("%q became %q, then %q, %v", first, out, again, err)
		}
		back, err := claude.uninstalled(out, first)
		if err != nil {
			t.Fatalf("%q became %q: %v", first, out, err)
		}
		bare, err := claude.uninstalled(first, first)
		if err != nil {
			t.Fatalf("%q: %v", first, err)
		}
		if bytes.Equal(bare, first) && !bytes.Equal(back, first) {
			t.Fatalf("%q became %q and back %q", first, out, back)
		}
		if got, want := meaning(t, back), meaning(t, bare); got != want {
			t.Fatalf("%q became %q: means %s, want %s", first, back, got, want)
		}
	})
}
