package config

import (
	"path/filepath"
	"testing"
)

// in is the rule that applies to a folder.
func in(c Config, dir string) Rule {
	for _, r := range c.Rules {
		if r.Dir.Has(dir) {
			return r
		}
	}
	return Rule{}
}

// TestRules checks which rule applies to a folder.
func TestRules(t *testing.T) {
	text := `
[[rules]]
dir = "~/code/*-infra"
mute = true
[[rules]]
dir = "~/code/"
min_turn = "1m"
[[rules]]
dir = "~/code/app" # is never reached
alert = true
[[rules]]
dir = "/srv/[ab]"
kinds = ["input"]
[notify]
details = "tool"
`
	c := load(t, text)
	for dir, want := range map[string]string{
		"/home/ann/code/x-infra":     "~/code/*-infra",
		"/home/ann/code/x-infra/sub": "~/code/*-infra",
		"/home/ann/code/-infra":      "~/code/*-infra",
		"/home/ann/code/x/y-infra":   "~/code/",
		"/home/ann/code":             "~/code/",
		"/home/ann/code/app":         "~/code/",
		"/home/ann/coder":            "",
		"/home/ann":                  "",
		"/srv/a":                     "/srv/[ab]",
		"/srv/b/../a/x":              "/srv/[ab]",
		"/srv/c":                     "",
		"/":                          "",
		"":                           "",
	} {
		if got := in(c, dir).Dir.Text; got != want {
			t.Errorf("%q: got the rule of %q, want %q", dir, got, want)
		}
	}
	r := in(c, "/srv/a")
	if len(r.Kinds) != 1 || r.Details != "tool" || r.Mute || r.Alert {
		t.Errorf("got %+v, want the rest as in [notify]", r)
	}
	if r := in(c, "/home/ann/code"); r.MinTurn == 0 || len(r.Kinds) != 4 {
		t.Errorf("got %+v, want its own min_turn and all kinds", r)
	}
}

// TestRulesLinks checks that a rule is for a folder by all its paths: sessions tell the
// real one.
func TestRulesLinks(t *testing.T) {
	w := world
	w.Real = func(path string) string {
		if rest, err := filepath.Rel("/home/ann/code", path); err == nil && filepath.IsLocal(rest) {
			return filepath.Join("/data/code", rest)
		}
		return path
	}
	c, problems := Parse("", []byte("[[rules]]\ndir = '~/code/app'\n[[rules]]\ndir = '~/code/*-infra/x'\n[[rules]]\ndir = '/home/*'\n"), w)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for dir, want := range map[string]string{
		"/data/code/app":          "~/code/app",
		"/home/ann/code/app/sub":  "~/code/app",
		"/data/code/an-infra/x/y": "~/code/*-infra/x",
		"/data/code/other":        "",
		"/home/bob":               "/home/*",
	} {
		if got := in(c, dir).Dir.Text; got != want {
			t.Errorf("%q: got the rule of %q, want %q", dir, got, want)
		}
	}
}
