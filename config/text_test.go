package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// TestText checks on which lines statements are found, and the items of lists.
func TestText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"# a = 1\n\n  # [b]", ""},
		{"a = 1\n[b]\nc = 2 # [d]\n\n[[ e . 'f g' ]]\nh.i=3", "1 a|2 [b]|3 c|5 [[e . 'f g']]|6 h.i"},
		{"a = '#'\nb = \"\\\"\\n= 1 # [x]\"\nc = 'x\\' # '''\nd = 1", "1 a|2 b|3 c|4 d"},
		{"a = '''\nb = 1\n[c]\n'''\nd = \"\"\"\ne = 1 \\\"\"\"\n[f] \\\\\"\"\"\ng = 1", "1 a|5 d|8 g"},
		{"a = '''x''''' # y\nb = \"\"\"\"x\"\"\"\"\"\nc = ''''''\nd = 1", "1 a|2 b|3 c|4 d"},
		{"'a = 1' = 2\n\"b # \\\" ]\" . c = 3\n['d] # e']\nf = 1", "1 'a = 1'|2 \"b # \\\" ]\" . c|3 ['d] # e']|4 f"},
		{"a = [ # b = 1\n  1, ']', # ]\n  '''\nc''', {d = 1, e = ']}'}, [],\n\n [2,\n3],\n]\nf = 1", "1 a 2 2 3 4{4 d|4 e} 4 6(6 7)|9 f"},
		{"a = {b = [\n1], c.d = '}', e = {}}\r\nf = 2020-01-01 07:30:00\r\n", "1 a{1 b 2|2 c.d|2 e{}}|3 f"},
		{"a = [\n]\nb = [\n{c = 1}\n,{d = 2}\n]", "1 a|3 b 4{4 c} 5{5 d}"},
	} {
		var all []string
		s := newScanner(test.text)
		for st, ok := s.next(); ok; st, ok = s.next() {
			all = append(all, shown(st))
		}
		if got := strings.Join(all, "|"); got != test.want {
			t.Errorf("in\n%s\ngot  %s\nwant %s", test.text, got, test.want)
		}
	}
}

// shown is a statement with the lines of all there is in it.
func shown(st statement) string {
	switch {
	case st.many:
		return fmt.Sprintf("%d [[%s]]", st.line, st.key)
	case st.heading:
		return fmt.Sprintf("%d [%s]", st.line, st.key)
	}
	return fmt.Sprint(st.line, " ", st.key, parts(st.value))
}

func parts(n node) (out string) {
	for _, item := range n.items {
		inner := strings.TrimSpace(parts(item))
		if item.items != nil {
			inner = "(" + inner + ")"
		}
		out += fmt.Sprint(" ", item.line, inner)
	}
	if strings.HasPrefix(n.text, "{") {
		var keys []string
		for _, k := range n.keys {
			keys = append(keys, shown(k))
		}
		out += "{" + strings.Join(keys, "|") + "}"
	}
	return out
}

// FuzzText checks that what is found in a text says, put together again, what the text
// says, and that it is on those lines.
func FuzzText(f *testing.F) {
	f.Add("[[rules]] # as many as you like\n\n#dir = '~/work'\nkinds = [\"approval\"]\n[limits]\nrest = 0\n")
	f.Add("a = [} , 1")
	f.Add("a = [ # b = 1\n  1, ']', # ]\n  '''\nc''', {d = 1, e = ']}'}, [],\n\n [2,\n3],\n]\nf = 1.5\n[[g]]\n[[g.h]]\n'i j' = \"\"\"\\\n \\\"\"\"\"\"\"")
	f.Add("'a = 1' = 2\n\"b # \\\" ]\" . c = 3\n['d] # e']\nf = 2020-01-01 07:30:00\r\n")
	f.Add("a = {b = [\n1], c.d = '}',\n# e\ne = {}}\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		var want, got map[string]any
		for _, m := range marks {
			if strings.HasPrefix(text, m) {
				return
			}
		}
		_, err := toml.Decode(text, &want)
		lines, again := strings.Split(text, "\n"), ""
		s := newScanner(text)
		for st, ok := s.next(); ok; st, ok = s.next() { // of nonsense, too, there is an end
			if err != nil {
				continue
			}
			begins, _, _ := strings.Cut(st.key, "\n")
			if line := lines[st.line-1]; !strings.Contains(line, begins) || st.heading && !strings.HasPrefix(strings.TrimSpace(line), "[") {
				t.Errorf("%q is not on line %d of\n%s", st.key, st.line, text)
			}
			again += written(st) + "\n"
		}
		if err != nil {
			return
		}
		if _, err := toml.Decode(again, &got); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v: got %v, want %v, from\n%s\nof\n%s", err, got, want, again, text)
		}
	})
}

// written is a statement, put together from its parts.
func written(st statement) string {
	switch {
	case st.many:
		return "[[" + st.key + "]]"
	case st.heading:
		return "[" + st.key + "]"
	}
	return st.key + " = " + put(st.value)
}

func put(n node) string {
	var all []string
	switch {
	case strings.HasPrefix(n.text, "["):
		for _, item := range n.items {
			all = append(all, put(item))
		}
		return "[" + strings.Join(all, ",") + "]"
	case strings.HasPrefix(n.text, "{"):
		for _, k := range n.keys {
			all = append(all, written(k))
		}
		return "{" + strings.Join(all, ",") + "}"
	}
	return n.text
}
