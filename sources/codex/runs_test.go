package codex

import (
	"strings"
	"testing"

	"deskbell/engine"
	"deskbell/sources"
)

const (
	id      = "01a22b4e-484b-7881-a8f6-8e99352d24c1"
	vendor  = "/usr/local/lib/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"
	managed = "/home/dev/.codex/packages/app-server-daemon/releases/0.171.0-x86_64-unknown-linux-musl/bin/codex"
)

// TestRuns reads the command lines that were recorded, and those the help lists.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		args  string
		tty   bool
		is    bool
		loose bool
		id    string
		dir   string
	}{
		{args: "codex", tty: true, is: true},
		{args: vendor, tty: true, is: true},
		{args: "/usr/bin/codex-x86_64-unknown-linux-musl", tty: true, is: true},
		{args: `C:/npm/codex.exe`, tty: true, is: true},
		{args: vendor + " (deleted)", tty: true, is: true},
		{args: "node /usr/local/bin/codex", tty: true}, // what it starts is one
		{args: "node /usr/local/bin/codex --no-daemon", tty: true},
		{args: vendor + " --no-daemon", tty: true, is: true},
		{args: vendor + " --cd /home/dev/proj2", tty: true, is: true, dir: "/home/dev/proj2"},
		{args: vendor + " -C /home/dev/proj2 hello", tty: true, is: true, dir: "/home/dev/proj2"},
		{args: vendor + " --cd=/home/dev/proj2", tty: true, is: true, dir: "/home/dev/proj2"},
		{args: vendor + " -C/home/dev/proj2", tty: true, is: true, dir: "/home/dev/proj2"},
		{args: vendor + " resume " + id, tty: true, is: true, id: id},
		{args: vendor + " -m gpt-5 resume --cd /w " + id, tty: true, is: true, id: id, dir: "/w"},
		{args: vendor + " resume --last", tty: true, is: true},
		{args: vendor + " resume ../../etc", tty: true, is: true},
		{args: vendor + " fork " + id, tty: true, is: true},
		{args: vendor + " -m exec", tty: true, is: true},
		{args: vendor + " -- exec", tty: true, is: true},
		{args: vendor + " explain " + id, tty: true, is: true},
		{args: vendor + " -c model=x exec resume " + id, tty: true, is: true, loose: true},
		{args: vendor + " exec LAB", is: true, loose: true},
		{args: vendor, is: true, loose: true},
		{args: vendor + " agents", tty: true, is: true, loose: true},
		{args: managed + " app-server --listen unix:// --analytics-default-enabled --managed-daemon", is: true, loose: true},
		{args: managed + " app-server daemon pid-update-loop", is: true, loose: true},
		{args: "/home/dev/.codex/packages/app-server-daemon/current/bin/codex --version", tty: true, is: true, loose: true},
		{args: vendor + " mcp-server", tty: true, is: true, loose: true},
		{args: "codex-linux-sandbox --sandbox-policy-cwd /home/dev/proj", tty: true},
		{args: "/home/dev/.codex/tmp/arg0-linux/codex-arg01fnUa8/codex-linux-sandbox -C /w", tty: true},
		{args: "codex-tui", tty: true},
		{args: "vim codex", tty: true},
	} {
		args := strings.Split(strings.ReplaceAll(c.args, " (deleted)", "\x00(deleted)"), " ")
		args[0] = strings.ReplaceAll(args[0], "\x00", " ")
		p := sources.Proc{PID: 7, Ticks: 9, Dir: "/home/dev/proj", Args: args, Name: "MainThread", Exe: "/x"}
		if c.tty {
			p.TTY = "/dev/pts/1"
		}
		w, is := runs(p)
		want := engine.Who{}
		if c.is {
			want = engine.Who{Tool: tool, PID: 7, Ticks: 9, Dir: "/home/dev/proj", TTY: p.TTY, ID: c.id, Loose: c.loose}
			if c.dir != "" {
				want.Dir = c.dir
			}
		}
		if is != c.is || w != want {
			t.Errorf("%s: got %+v %v, want %+v %v", c.args, w, is, want, c.is)
		}
	}
}

// TestTitles reads titles of 0.171.
func TestTitles(t *testing.T) {
	for title, want := range map[string]engine.Titled{
		"⠙ LAB TEXT hello there | proj":         {Form: "⠙", Level: engine.ListedBusy, Moves: true},
		"⠏ proj":                                {Form: "⠏", Level: engine.ListedBusy, Moves: true},
		"[ ! ] Action Required | proj":          {Form: "[ ! ] Action Required", Level: engine.ListedAsking, Moves: true},
		"[ . ] Action Required | LAB x | proj":  {Form: "[ . ] Action Required", Level: engine.ListedAsking, Moves: true},
		"LAB TEXT hello there | proj":           {Level: engine.Present},
		"":                                      {Level: engine.Present},
		"Why does ⠙ turn? | proj":               {Level: engine.Present},
		"[ ! ] is what I want in the title | p": {Level: engine.Present},
	} {
		if got, ok := CLI.Titled(title); got != want || !ok {
			t.Errorf("%q: got %+v %v, want %+v", title, got, ok, want)
		}
	}
}
