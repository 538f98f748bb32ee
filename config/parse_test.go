package config

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

// TestValues checks that each key does what it says, and nothing else.
func TestValues(t *testing.T) {
	for _, test := range []struct {
		text string
		want func(*Config)
	}{
		{"", func(*Config) {}},
		{"[tools]", func(*Config) {}},
		{"\ufeff[limits]\r\nrest = '1h'\r\n", func(c *Config) { c.Limits[engine.Rest] = time.Hour }},
		{"[limits]\nrest = 0", func(c *Config) { c.Limits[engine.Rest] = 0 }},
		{"[limits]\nrest = '0s'", func(c *Config) { c.Limits[engine.Rest] = 0 }},
		{"[limits]\nprocess_check = '1m'", func(c *Config) { c.Limits[engine.ProcessCheck] = time.Minute }},
		{"[limits]\nprocessCheckInterval = '1m'", func(c *Config) { c.Limits[engine.ProcessCheck] = time.Minute }},
		{"limits.rest = '1m'\nlimits.fast = '9s'", func(c *Config) { c.Limits[engine.Rest], c.Limits[engine.Fast] = time.Minute, 9*time.Second }},
		{"limits = {rest = '1m'}", func(c *Config) { c.Limits[engine.Rest] = time.Minute }},
		{"['limits']\n\"rest\" = '1m'", func(c *Config) { c.Limits[engine.Rest] = time.Minute }},
		{"[notify]\nguesses = 'always'", func(c *Config) { c.Notify.Guesses = "always" }},
		{"[notify]\nmachine_turns = true", func(c *Config) { c.Notify.MachineTurns = true }},
		{"[notify]\nmin_turn = '1m'", func(c *Config) { c.Notify.MinTurn = time.Minute }},
		{"[notify]\ndetails = 'none'", func(c *Config) { c.Notify.Details = "none" }},
		{"[notify]\nkinds = ['input']", func(c *Config) { c.Notify.Kinds = []string{"input"} }},
		{"[notify]\nkinds = []", func(c *Config) { c.Notify.Kinds = []string{} }},
		{"[notify]\nremind = 0", func(c *Config) { c.Notify.Remind = 0 }},
		{"[notify]\nremind_most = 0x10", func(c *Config) { c.Notify.RemindMost = 16 }},
		{"[notify]\nsound = false", func(c *Config) { c.Notify.Sound = false }},
		{"[notify]\ncommand = ['say', '']", func(c *Config) { c.Notify.Command = []string{"say", ""} }},
		{"[notify]\nquiet = ['sat 1:00-2:30']", func(c *Config) {
			c.Notify.Quiet = []Quiet{{Days: [7]bool{6: true}, From: time.Hour, To: 150 * time.Minute}}
		}},
		{"[tray]\nleft_click = 'next'", func(c *Config) { c.Tray.LeftClick = "next" }},
		{"[tools.codex]\nenabled = false", func(c *Config) { c.Tools["codex"] = Tool{Command: []string{}} }},
		{"[tools]\ncodex.command = ['c', 'x']", func(c *Config) { c.Tools["codex"] = Tool{Enabled: true, Command: []string{"c", "x"}} }},
		{"[tools]\ncodex = {command = ['c']}", func(c *Config) { c.Tools["codex"] = Tool{Enabled: true, Command: []string{"c"}} }},
		{"tools = {codex = {command = ['c']}}", func(c *Config) { c.Tools["codex"] = Tool{Enabled: true, Command: []string{"c"}} }},
		{"[tools.claude]\nhome = '~/x/'", func(c *Config) { c.Tools["claude"] = Tool{Enabled: true, Home: "/home/ann/x", Command: []string{}} }},
	} {
		want := Default(world)
		test.want(&want)
		if got := load(t, test.text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\ngot  %+v\nwant %+v", test.text, got, want)
		}
	}
}

// TestProblems checks for each mistake that it is told, with its line.
func TestProblems(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       string // line by line
	}{
		{"form", "[limits]\nrest = \n", `2: limits.rest: expected value but found '\n' instead; it wants a duration such as "90s" or "1h30m"`},
		{"an open list", "[notify]\nkinds = [\n'input'\n", `3: notify.kinds: expected a comma (',') or array terminator (']'), but got end of file; it wants a list of "approval", "input", "waiting" or "trouble"`},
		{"a list that goes on", "[notify]\nkinds = [\n'input'\n\nsound = true\n", `5: notify.kinds: expected a comma (',') or array terminator (']'), but got 's'; it wants a list of "approval", "input", "waiting" or "trouble"`},
		{"an open heading", "[tray]\n[limits\nrest = '1m'\n", `2: expected '.' or ']' to end table name, but got '\n' instead`},
		{"an open text", "[tools.claude]\nhome = \"\"\"\n~/a\n\n", `4: tools.claude.home: unexpected EOF; expected '"""'; it wants a folder such as "~/work" or "/srv/work"`},
		{"a backslash in a text", "[tools.claude]\nhome = \"\"\"\n~/a\n\\q\n\"\"\"\n", `4: tools.claude.home: invalid escape in string '\q'; what has a \ in it goes between single quotes`},
		{"no letter", "[tools.claude]\nhome = \"\"\"\n\\\\uD800\n\\uD800\n\"\"\"\n", `4: tools.claude.home: escaped character '\uD800' is not valid UTF-8; what has a \ in it goes between single quotes`},
		{"a key without a value", "[limits]\nrest\nfast = '1s'\n", `2: limits: expected '.' or '=', but got '\n' instead`},
		{"a rule's key twice", "[[rules]]\ndir = '/a'\n[[rules]]\ndir = '/b'\n\ndir = '/c'\n", `6: rules.dir: key 'rules.dir' has already been defined: keep one of them`},
		{"a table twice", "[limits]\nrest = '1m'\n[tray]\n[limits]\n", `4: limits: key 'limits' has already been defined: keep one of them`},
		{"a key twice", "[limits]\nrest = '1m'\nrest = '2m'\n", `3: limits.rest: key 'limits.rest' has already been defined: keep one of them`},
		{"a key twice by two names", "[limits]\nprocess_check = '1m'\nprocessCheckInterval = '2m'\n",
			`3: limits.processCheckInterval: it is the same as process_check, which is set already: keep one of them`},
		{"no quotes", "[limits]\n\nrest = 5m\n", `3: limits.rest: expected a top-level item to end with a newline, comment, or EOF, but got 'm' instead; it wants a duration such as "90s" or "1h30m"`},
		{"a backslash", "[tools.claude]\nhome = \"C:\\Users\"\n", `2: tools.claude.home: expected eight hexadecimal digits after '\U', but got "C:\\Us" instead; what has a \ in it goes between single quotes`},
		{"no text", "\x00\xff", `1: files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8`},
		{"section", "\n[notfy]\nsound = true\nfoo = 1\n", `2: notfy: there is no such section, did you mean "notify"?`},
		{"section far off", "[zebra.stripes]\nx = 1\n", "1: zebra.stripes: there is no such section; `deskbell config` lists all"},
		{"dotted section", "zebra.a = 1\nzebra.b = 2\n", "1: zebra: there is no such section; `deskbell config` lists all"},
		{"section in braces", "zebra = {a = 1}\n", "1: zebra: there is no such section; `deskbell config` lists all"},
		{"section below", "[limits.rest]\nx = 1\n", "1: limits.rest: there is no such section; `deskbell config` lists all"},
		{"key", "[limits]\nfast = '2s'\nrset = '5m'\n", `3: limits.rset: there is no such key, did you mean "rest"?`},
		{"key far off", "[limits]\nzebra = 1\n", "2: limits.zebra: there is no such key; `deskbell config` lists all"},
		{"key of few", "[tray]\nzebra = 1\n", "2: tray.zebra: there is no such key; known: left_click"},
		{"key in its other spelling", "[notify]\nminTurn = '5m'\n", `2: notify.minTurn: there is no such key, did you mean "min_turn"?`},
		{"key of another section", "[tray]\nsound = true\n", `2: tray.sound: there is no such key: it belongs below [notify]`},
		{"key of no section", "sound = true\n", `1: sound: it belongs to no section: it belongs below [notify]`},
		{"section as a key", "notify = true\n", `1: notify: it is a section: write [notify], and its keys below`},
		{"section in a list", "[[limits]]\nrest = '1m'\n", `1: limits: write [limits]: there can only be one`},
		{"tool", "[tools.claud]\nenabled = true\n", `1: tools.claud: there is no such tool, did you mean "claude"?`},
		{"tool far off", "[tools.zebra]\nenabled = true\n", `1: tools.zebra: there is no such tool; known: claude, codex`},
		{"tool in a list", "[[tools.claude]]\nenabled = true\n", `1: tools.claude: write [tools.claude]: there can only be one`},
		{"key of a tool", "[tools.claude]\nenabeld = true\n", `2: tools.claude.enabeld: there is no such key, did you mean "enabled"?`},
		{"duration", "[limits]\nrest = 'soon'\n", `2: limits.rest: "soon" is not a duration such as "90s" or "1h30m"`},
		{"duration without a unit", "[limits]\nfast = 3\n", `2: limits.fast: 3 is not a duration such as "90s" or "1h30m"`},
		{"duration as a list", "[limits]\nfast = ['3s']\n", `2: limits.fast: a list is not a duration such as "90s" or "1h30m"`},
		{"duration as a table", "[limits]\nfast = {s = 3}\n", `2: limits.fast: a table is not a duration such as "90s" or "1h30m"`},
		{"too short", "[limits]\nscan = '0s'\n", `2: limits.scan: "0s" is too short: at least "1s"`},
		{"below zero", "[limits]\nrest = '-1s'\n", `2: limits.rest: "-1s" is too short: at least "1s", or 0`},
		{"too long", "[limits]\nscan = '100h'\n", `2: limits.scan: "100h" is too long: at most "1h"`},
		{"number", "[notify]\nremind_most = 101\n", `2: notify.remind_most: 101 is not a whole number from 0 to 100`},
		{"fraction", "[notify]\nremind_most = 1.5\n", `2: notify.remind_most: 1.5 is not a whole number from 0 to 100`},
		{"bool", "[notify]\nsound = 'yes'\n", `2: notify.sound: "yes" is not true or false`},
		{"word", "[notify]\ndetails = 'tol'\n", `2: notify.details: "tol" is not "full", "tool" or "none", did you mean "tool"?`},
		{"word in a list", "[notify]\nkinds = [ # all\n  'approval',\n  'wait',\n]\n", `4: notify.kinds: "wait" is not "approval", "input", "waiting" or "trouble"`},
		{"list", "[notify]\nkinds = 'input'\n", `2: notify.kinds: "input" is not a list of "approval", "input", "waiting" or "trouble"`},
		{"command", "[notify]\ncommand = 'say it'\n", `2: notify.command: "say it" is not a program and its arguments, each for itself, such as ["prog", "--flag"]`},
		{"command of numbers", "[notify]\ncommand = ['a',\n 1]\n", `3: notify.command: 1 is not a string, as all parts of a command are`},
		{"command without a name", "[notify]\ncommand = ['']\n", `2: notify.command: the program has no name: its list begins with it`},
		{"folder", "[tools.claude]\nhome = 'work'\n", `2: tools.claude.home: "work" is not a folder such as "~/work" or "/srv/work"`},
		{"folder of another", "[tools.claude]\nhome = '~bob/work'\n", `2: tools.claude.home: "~bob/work" is not a folder such as "~/work" or "/srv/work"`},
		{"quiet days", "[notify]\nquiet = ['workdays 1:00-2:00']\n", `2: notify.quiet: "workdays 1:00-2:00": "workdays" are no days: they are called mon, tue, wed, thu, fri, sat and sun`},
		{"quiet time", "[notify]\nquiet = ['25:00-2:00']\n", `2: notify.quiet: "25:00-2:00": "25:00" is no time of day such as 07:30`},
		{"quiet number", "[notify]\nquiet = [22]\n", `2: notify.quiet: 22 is not a time such as "mon-fri 22:00-07:00"`},
		{"rules as one", "[rules]\ndir = '/a'\n", `1: rules: write [[rules]], once for each folder`},
		{"rules in braces", "rules = [\n # one\n {dir = '/a'},\n {mute = true},\n 'b', {dir = '/c',\n silent = true}]\n",
			"4: rules: it does not say for which folder: dir = \"~/work\"\n5: rules: a rule is a table: write it under [[rules]]\n6: rules.silent: there is no such key; known: dir, mute, alert, kinds, min_turn, details"},
		{"rules as words", "rules = ['/a']\n", `1: rules: a rule is a table: write it under [[rules]]`},
		{"rule without a folder", "\n[[rules]]\nmute = true\n", `2: rules: it does not say for which folder: dir = "~/work"`},
		{"rule of both", "[[rules]]\ndir = '/a'\nmute = true\nalert = true\n", `1: rules: mute and alert exclude each other: keep one of them`},
		{"rule's folder", "[[rules]]\ndir = 'a'\n", `2: rules.dir: "a" is not a folder such as "~/work" or "~/code/*-infra"`},
		{"rule's pattern", "[[rules]]\ndir = '/a/[b'\n", `2: rules.dir: "/a/[b" has a pattern that does not end: a [ wants its ]`},
		{"rule's key", "[[rules]]\ndir = '/a'\n[[rules]]\ndir = '/b'\nsilent = true\n", "5: rules.silent: there is no such key; known: dir, mute, alert, kinds, min_turn, details"},
		{"several, by line", "[[rules]]\ndir = 1\n[tray]\nleft_click = 2\n",
			"2: rules.dir: 1 is not a folder such as \"~/work\" or \"~/code/*-infra\"\n" +
				`4: tray.left_click: 2 is not "menu" or "next"`},
		{"what looks like keys", "[notify]\ncommand = ['x', '''\nsound = 7\n[zebra]\n''', \"\"\"\nsound = 8\n\"\"\"] # sound = 9\nsound = 10 # [limits]\n",
			`8: notify.sound: 10 is not true or false`},
		{"a key in quotes", "[notify]\n\"sound # = 1\" = 1\n", "2: notify.sound # = 1: there is no such key; known: kinds, guesses, machine_turns, min_turn, details, sound, remind, remind_most, quiet, command"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, problems := Parse("/x/config.toml", []byte(test.text), world)
			var got []string
			for _, p := range problems {
				line, ok := strings.CutPrefix(p.String(), "/x/config.toml:")
				if !ok {
					t.Errorf("%s does not begin with the file", p)
				}
				got = append(got, line)
			}
			if text := strings.Join(got, "\n"); text != test.want {
				t.Errorf("in\n%s\ngot  %s\nwant %s", test.text, text, test.want)
			}
			if !reflect.DeepEqual(c, Default(world)) {
				t.Errorf("got %+v, want the defaults", c)
			}
		})
	}
}

// TestShort checks the form for where there is little room.
func TestShort(t *testing.T) {
	p := Problem{File: "/x/config.toml", Line: 3, Key: "limits.rest", Text: "no"}
	if got, want := p.Short(), "config.toml line 3: limits.rest: no"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p = Problem{File: "/x/config.toml", Text: "it cannot be read"}
	if got, want := p.Short(), "config.toml: it cannot be read"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
