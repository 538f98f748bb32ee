package sources

import (
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	is := func(script string) bool { return script == "/opt/x/index.js" }
	for _, c := range []struct {
		args []string
		want []string
		ok   bool
	}{
		{nil, nil, false},
		{[]string{"x", "-p", "y"}, []string{"-p", "y"}, true},
		{[]string{`C:\tools\x.exe`, "y"}, nil, false}, // its slashes are those of another system
		{[]string{"/usr/bin/x (deleted)"}, []string{}, true},
		{[]string{"node", "--flag", "/opt/x/index.js", "y"}, []string{"y"}, true},
		{[]string{"bun", "/opt/other.js", "x"}, []string{"x"}, false},
		{[]string{"node"}, nil, false},
		{[]string{"vim", "/opt/x/index.js"}, nil, false},
	} {
		if got, ok := (Proc{Args: c.args}).Words("x", is); ok != c.ok || ok && !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q %v, want %q %v", c.args, got, ok, c.want, c.ok)
		}
	}
}

func TestFlagAt(t *testing.T) {
	args := []string{"--resume", "id", "--dir=/w", "--last"}
	for i, want := range []string{"--resume id", "id --dir=/w", "--dir /w", "--last "} {
		if flag, value := FlagAt(args, i); flag+" "+value != want {
			t.Errorf("at %d: got %s %s, want %s", i, flag, value, want)
		}
	}
}
