package cli

import (
	"fmt"
	"strings"
	"testing"

	"deskbell/engine"
)

func TestStatus(t *testing.T) {
	d := &daemon{}
	d.says("/sessions/live", asJSON(t, several()))
	d.start()
	defer d.kill()
	for _, test := range []struct {
		name string
		s    screen
	}{
		{"pipe", screen{}},
		{"120", screen{terminal: true, width: 120, height: 40}},
		{"80", screen{terminal: true, width: 80, height: 24}},
		{"60", screen{terminal: true, width: 60, height: 24}},
		{"40", screen{terminal: true, width: 40, height: 24}},
		{"20", screen{terminal: true, width: 20, height: 24}},
		{"colour", screen{terminal: true, width: 80, height: 24, colour: true}},
	} {
		got := call(d, &test.s, "status")
		if got.code != ok || got.err != "" || !got.handled {
			t.Errorf("%s: got %+v", test.name, got)
		}
		golden(t, "status_"+test.name, got.out)
	}
}

// TestDesign is the picture in the design, to the letter of its words.
func TestDesign(t *testing.T) {
	s := several()
	s.Sessions = []engine.Session{s.Sessions[0], s.Sessions[2], s.Sessions[5]}
	s.Sessions[0].Title = "Write tests"
	s.Sessions[2].Shells = 0
	s.Counts = engine.Count(s.Sessions)
	golden(t, "design", strings.Join(table(s, noon, screen{}), "\n")+"\n")
}

func TestNoSessions(t *testing.T) {
	got := strings.Join(table(engine.Snapshot{}, noon, screen{}), "\n")
	if got != "  no sessions" {
		t.Errorf("got %q", got)
	}
}

// TestNothingWraps checks that no line is wider than the terminal, whatever is in it.
func TestNothingWraps(t *testing.T) {
	s := several()
	for w := 1; w < 200; w++ {
		for _, line := range table(s, noon, screen{terminal: true, width: w, height: 24}) {
			if got := width(line); got > w {
				t.Errorf("on %d columns a line takes %d: %q", w, got, line)
			}
			if strings.ContainsAny(line, "\x1b\n\u202e") {
				t.Errorf("a line has foreign control characters: %q", line)
			}
		}
	}
}

func TestStatusJSONIsTheSnapshot(t *testing.T) {
	d := &daemon{}
	const body = `{"seq":42, "a_field_of_a_newer_version": [1.50], "sessions":[]}` + "\n"
	d.says("/sessions/live", body)
	d.start()
	defer d.kill()
	if got := call(d, nil, "status", "--json"); got.out != body || got.code != ok {
		t.Errorf("got %+v, want it as it came", got)
	}
}

func TestStatusShared(t *testing.T) {
	s := several()
	s.Sessions[1].Shared, s.Sessions[1].Label = true, &engine.Label{Name: "HEAVY"}
	s.Sessions[1].Title = "a <b> & c"
	d := &daemon{}
	d.says("/sessions/live", asJSON(t, s))
	d.start()
	defer d.kill()
	got := call(d, nil, "status", "--json", "--shared")
	if !strings.Contains(got.out, `"id":"s2"`) || strings.Contains(got.out, `"id":"s1"`) || strings.Contains(got.out, "HEAVY") ||
		!strings.Contains(got.out, `"needs_you":1,"working":0`) || !strings.Contains(got.out, "a <b> & c") {
		t.Errorf("got %s", got.out)
	}
	if got := call(d, nil, "status", "--shared"); strings.Count(got.out, "\n") != 2 || !strings.Contains(got.out, "  1 needs you\n") {
		t.Errorf("got %s", got.out)
	}
}

func TestExitCodes(t *testing.T) {
	d := &daemon{}
	d.says("/sessions/live", `not json`)
	d.start()
	defer d.kill()
	mute := &daemon{} // knows nothing
	mute.start()
	defer mute.kill()
	for _, test := range []struct {
		args string
		d    *daemon
		code int
		err  string
	}{
		{"status", nil, 1, "deskbell: it is not running: start it with `deskbell`\n"},
		{"status --json", nil, 1, "deskbell: it is not running: start it with `deskbell`\n"},
		{"status --watch", nil, 1, "deskbell: it is not running: start it with `deskbell`\n"},
		{"status --watch --json", nil, 1, "deskbell: it is not running: start it with `deskbell`\n"},
		{"why app", nil, 1, "deskbell: it is not running: start it with `deskbell`\n"},
		{"why app", mute, 1, "deskbell: it answers 404 Not Found: restart it, it may be of another version\n"},
		{"status", d, 1, "deskbell: its answer makes no sense, restart it, it may be of another version: "},
		{"why", nil, 2, "deskbell: expected \"<session>\" (see `deskbell why --help`)\n"},
		{"statu", nil, 2, "deskbell: unexpected argument statu, did you mean \"status\"? (see `deskbell --help`)\n"},
		{"status --foo", nil, 2, "deskbell: unknown flag --foo (see `deskbell status --help`)\n"},
		{"version", nil, 0, ""},
		{"--version", nil, 0, ""},
		{"rules", nil, 0, ""},
		{"status --help", nil, 0, ""},
		{"--help", nil, 0, ""},
	} {
		got := call(test.d, nil, strings.Fields(test.args)...)
		if got.code != test.code || !strings.HasPrefix(got.err, test.err) || got.err != "" && test.err == "" || !got.handled {
			t.Errorf("deskbell %s: got %d %q, want %d %q", test.args, got.code, got.err, test.code, test.err)
		}
		if (got.out != "") != (test.code == ok) {
			t.Errorf("deskbell %s: with exit status %d prints %q", test.args, got.code, got.out)
		}
	}
	if _, handled := Run(nil, Env{}); handled {
		t.Error("without a command it is for the tray, but was handled")
	}
}

func TestHelp(t *testing.T) {
	for _, args := range []string{"--help", "status --help", "why --help", "rules --help", "record --help"} {
		name := "help_" + strings.TrimSuffix(strings.Fields(args)[0], "--help")
		golden(t, strings.TrimSuffix(name, "_"), call(nil, nil, strings.Fields(args)...).out)
	}
}

// more is a command that somebody else adds.
type more struct {
	Ring struct {
		ringCmd
	} `cmd:"" help:"Ring."`
}

type ringCmd struct {
	Times int `default:"2"`
}

func (r ringCmd) Run(in Env) error {
	if r.Times > 5 {
		return Misuse("five times will do")
	}
	_, err := fmt.Fprintln(in.Stdout, strings.Repeat("ring", r.Times), in.Version)
	return err
}

func TestMoreCommands(t *testing.T) {
	for args, want := range map[string]outcome{
		"ring":           {0, true, "ringring v\n", ""},
		"ring --times=9": {2, true, "", "deskbell: five times will do\n"},
	} {
		var out, errs strings.Builder
		code, handled := Run(strings.Fields(args), Env{Stdout: &out, Stderr: &errs, Version: "v", More: []any{&more{}}})
		if got := (outcome{code, handled, out.String(), errs.String()}); got != want {
			t.Errorf("%s: got %+v, want %+v", args, got, want)
		}
	}
}
