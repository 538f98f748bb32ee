package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// plan is an installer of one change.
type plan struct {
	none, sick bool
	fails      string
	asked      string // tool, density and whether to install
	applied    bool
}

func (p *plan) Plan(tool, density string, install bool) (string, func() (string, error), error) {
	p.asked = fmt.Sprint(tool, " ", density, " ", install)
	switch {
	case p.fails == "plan":
		return "", nil, errors.New("settings.json: line 3, column 5: broken")
	case p.none:
		return "nothing to change\n", nil, nil
	}
	return "--- a\n+++ b\n", func() (string, error) {
		if p.fails == "apply" {
			return "half of it", errors.New("disk full")
		}
		p.applied = true
		return "done", nil
	}, nil
}

func (p *plan) Check(tool, density string) (string, bool, error) {
	p.asked = fmt.Sprint(tool, " ", density)
	return "Claude Code hooks: …\n", !p.sick, nil
}

// callHooks runs a command with p, typed into a terminal unless answer is "no terminal".
func callHooks(p *plan, answer string, args ...string) outcome {
	const none = "no terminal"
	w := hooksWorld{open: func() (Installer, error) { return p, nil }, stdin: strings.NewReader(answer), asks: answer != none}
	h := &Hooks{hooksCmd{hooksInstall{hooksWorld: w}, hooksRemove{hooksWorld: w}, hooksStatus{hooksWorld: w}}}
	var out, errs bytes.Buffer
	code, handled := Run(append([]string{"hooks"}, args...), Env{Stdout: &out, Stderr: &errs, More: []any{h}, screen: &screen{terminal: answer != none}})
	return outcome{code, handled, out.String(), errs.String()}
}

func TestHooksAsks(t *testing.T) {
	const show, ask = "--- a\n+++ b\n", "Do it? [y/N] "
	const unanswered = "deskbell: nothing was changed: --yes does what is shown above\n"
	const none = "no terminal"
	for _, test := range []struct {
		name, answer string
		plan         plan
		args         string
		want         outcome
		applied      bool
	}{
		{"yes", "y\n", plan{}, "install", outcome{ok, true, show + ask + "done\n", ""}, true},
		{"yes in full", " YES \n", plan{}, "uninstall", outcome{ok, true, show + ask + "done\n", ""}, true},
		{"no", "n\n", plan{}, "install", outcome{failed, true, show + ask, "deskbell: nothing was changed\n"}, false},
		{"just Enter", "\n", plan{}, "install", outcome{failed, true, show + ask, "deskbell: nothing was changed\n"}, false},
		{"end of input", "", plan{}, "install", outcome{misuse, true, show + ask + "\n", unanswered}, false},
		{"end of input behind the answer", "y", plan{}, "install", outcome{ok, true, show + ask + "done\n", ""}, true},
		{"no terminal", none, plan{}, "install", outcome{misuse, true, show, unanswered}, false},
		{"no terminal, uninstall", none, plan{}, "uninstall", outcome{misuse, true, show, unanswered}, false},
		{"--yes", none, plan{}, "install --yes", outcome{ok, true, show + "done\n", ""}, true},
		{"nothing to do", none, plan{none: true}, "install", outcome{ok, true, "nothing to change\n", ""}, false},
		{"broken", "y\n", plan{fails: "plan"}, "install", outcome{failed, true, "", "deskbell: settings.json: line 3, column 5: broken\n"}, false},
		{"fails on the way", "y\n", plan{fails: "apply"}, "install", outcome{failed, true, show + ask + "half of it\n", "deskbell: disk full\n"}, false},
		{"healthy", none, plan{}, "status", outcome{ok, true, "Claude Code hooks: …\n", ""}, false},
		{"not healthy", none, plan{sick: true}, "status", outcome{failed, true, "Claude Code hooks: …\n", "deskbell: the hooks need attention\n"}, false},
	} {
		p := test.plan
		got := callHooks(&p, test.answer, strings.Fields(test.args)...)
		if got != test.want || p.applied != test.applied {
			t.Errorf("%s: got %+v, applied %v, want %+v", test.name, got, p.applied, test.want)
		}
	}
}

func TestHooksFlags(t *testing.T) {
	for _, test := range []struct {
		args, want string
		code       int
	}{
		{"install -y", "  true", ok},
		{"install --tool claude --density high --yes", "claude high true", ok},
		{"uninstall --tool=codex --yes", "codex  false", ok},
		{"status --tool claude --density low", "claude low", ok},
		{"install --density most", "", misuse},
		{"uninstall --density low", "", misuse},
		{"", "", misuse},
	} {
		p := &plan{}
		if got := callHooks(p, "no terminal", strings.Fields(test.args)...); got.code != test.code || p.asked != test.want {
			t.Errorf("%q: got %+v, asked %q, want %q", test.args, got, p.asked, test.want)
		}
	}
}

// TestHooksStdin checks that a file and a pipe are nobody to ask.
func TestHooksStdin(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "answers"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	for _, in := range []*os.File{f, r} {
		if NewHooks(nil, in).Hooks.Install.asks {
			t.Errorf("would ask %s", in.Name())
		}
	}
}
