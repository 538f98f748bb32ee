package config

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// FuzzParse checks that no file brings us down, that a mistake is told with a line that
// is there, that defaults hold then, and that comments change nothing.
func FuzzParse(f *testing.F) {
	for part := range strings.SplitSeq(Sample(world), "\n\n") { // the fuzzer is slow with long ones
		for line := range strings.SplitSeq(switchedOn(part), "\n") {
			if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "[") {
				head, _, _ := strings.Cut(part[strings.Index(part, "["):], "\n")
				f.Add([]byte(head + "\n" + line + "\n"))
			}
		}
	}
	f.Add([]byte("rules = [{dir = '/a'}, {dir = '/b', kinds = []}]\n[limits]\nrest = 0\n"))
	f.Add([]byte("[notify]\nquiet = ['fri-mon 22:00-7:00', '0:00-24:00']\nremind_most = 1_0\n"))
	f.Add([]byte("\ufeff[tools.claude]\nhome = \"\"\"\n~/a\"\"\"\n[tools]\ncodex = {enabled = false}\n"))
	f.Add([]byte("[a.b]\n[[limits]]\nlimits.x = 1\n[tools.x]\n'' = {a.b = 1}\n"))
	def := Default(world)
	f.Fuzz(func(t *testing.T, text []byte) {
		c, problems := Parse("f", text, world)
		if len(problems) > 0 {
			if !reflect.DeepEqual(c, def) {
				t.Errorf("got %+v in spite of %v", c, problems)
			}
			last := 1
			for _, p := range problems {
				if p.Line < last || p.Line > 1+bytes.Count(text, []byte("\n")) || p.Text == "" {
					t.Errorf("%+v is no problem of %q", p, text)
				}
				last = p.Line
			}
			return
		}
		if again, problems := Parse("f", append(bytes.TrimSuffix(text, []byte("\r")), "\n# the end"...), world); !reflect.DeepEqual(c, again) {
			t.Errorf("got %+v, %v and %+v without a comment", again, problems, c)
		}
		for _, r := range c.Rules {
			r.Dir.Has("/a/b")
			if r.Dir.Text == "" || r.Mute && r.Alert {
				t.Errorf("took the rule %+v", r)
			}
		}
	})
}
