package claude

import (
	"testing"

	"deskbell/engine"
	"deskbell/sources"
)

const (
	cliJS  = "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"
	native = "/home/dev/.local/share/claude/versions/2.1.212"
	tty    = "/dev/pts/3"
)

// TestRunsIs checks how the CLI is told apart from other programs (C42, C43).
func TestRunsIs(t *testing.T) {
	for name, tc := range map[string]struct {
		p  sources.Proc
		is bool
	}{
		"by its name":                   {sources.Proc{Args: []string{"claude"}}, true},
		"by a path":                     {sources.Proc{Args: []string{"/opt/claude/claude", "--verbose"}}, true},
		"a native build":                {sources.Proc{Name: "2.1.212", Exe: native, Args: []string{"claude"}}, true},
		"a native build by its version": {sources.Proc{Name: "2.1.212", Exe: native, Args: []string{"2.1.212"}}, true},
		"a native build by its path":    {sources.Proc{Name: "2.1.212", Exe: native, Args: []string{native, "--resume"}}, true},
		"updated while it runs":         {sources.Proc{Exe: native + " (deleted)", Args: []string{"2.1.212"}}, true},
		"the npm build":                 {sources.Proc{Name: "node", Exe: "/usr/bin/node", Args: []string{"node", cliJS}}, true},
		"the npm build with options":    {sources.Proc{Name: "node", Exe: "/usr/bin/node", Args: []string{"/usr/bin/node", "--max-old-space-size=4096", cliJS, "-c"}}, true},
		"the npm link":                  {sources.Proc{Name: "node", Exe: "/usr/bin/node", Args: []string{"node", "/usr/local/bin/claude"}}, true},
		"bun":                           {sources.Proc{Name: "bun", Exe: "/usr/bin/bun", Args: []string{"bun", cliJS}}, true},
		"named by itself":               {sources.Proc{Name: "claude", Exe: "/usr/bin/node", Args: []string{"claude"}}, true},
		"on Windows":                    {sources.Proc{Exe: `C:/Users/dev/.local/bin/claude.exe`, Args: []string{"claude.exe"}}, true},

		"nothing":                       {sources.Proc{}, false},
		"an empty name":                 {sources.Proc{Args: []string{""}}, false},
		"an editor on claude.md":        {sources.Proc{Exe: "/usr/bin/vim", Args: []string{"vim", "claude.md"}}, false},
		"an editor on a file claude":    {sources.Proc{Exe: "/usr/bin/vim", Args: []string{"vim", "claude"}}, false},
		"an editor on its path":         {sources.Proc{Exe: "/usr/bin/nano", Args: []string{"nano", "/opt/claude/claude"}}, false},
		"a shell that starts it":        {sources.Proc{Exe: "/bin/bash", Args: []string{"bash", "-c", "claude"}}, false},
		"a search for it":               {sources.Proc{Exe: "/bin/grep", Args: []string{"grep", "-r", "claude", "."}}, false},
		"a program in its folder":       {sources.Proc{Exe: "/opt/claude/helper", Args: []string{"/opt/claude/helper"}, Dir: "/home/dev/claude"}, false},
		"another program's version":     {sources.Proc{Exe: "/home/dev/.local/share/other/versions/2.1.212", Args: []string{"2.1.212"}}, false},
		"another script of node":        {sources.Proc{Exe: "/usr/bin/node", Args: []string{"node", "server.js", "claude"}}, false},
		"a script in a folder claude":   {sources.Proc{Exe: "/usr/bin/node", Args: []string{"node", "/home/dev/claude/server.js"}}, false},
		"a server of the same maker":    {sources.Proc{Exe: "/usr/bin/node", Args: []string{"node", "/usr/lib/node_modules/@anthropic-ai/other/cli.js"}}, false},
		"node alone":                    {sources.Proc{Exe: "/usr/bin/node", Args: []string{"node"}}, false},
		"claude-desktop":                {sources.Proc{Exe: "/usr/lib/claude-desktop/claude-desktop", Args: []string{"claude-desktop"}}, false},
		"our hook":                      {sources.Proc{Exe: "/home/dev/.local/share/deskbell/bin/deskbell-hook", Args: []string{"deskbell-hook", "claude"}}, false},
		"a monitor of it":               {sources.Proc{Exe: "/usr/bin/claude-watch", Args: []string{"claude-watch", "claude"}}, false},
		"a multiplexer that started it": {sources.Proc{Exe: "/usr/bin/tmux", Args: []string{"tmux", "new", "claude"}}, false},
	} {
		if w, is := runs(tc.p); is != tc.is {
			t.Errorf("%s: %v, %+v", name, is, w)
		}
	}
}

func TestRunsLoose(t *testing.T) {
	for name, tc := range map[string]struct {
		tty  string
		args []string
		want bool
	}{
		"a session":                 {tty, nil, false},
		"with a prompt":             {tty, []string{"fix the -p flag"}, false},
		"with a prompt like a word": {tty, []string{"--model", "opus", "mcp"}, false},
		"without a terminal":        {"", nil, true},
		"-p":                        {tty, []string{"-p", "x"}, true},
		"--print":                   {tty, []string{"--model", "opus", "--print", "x"}, true},
		"--print=":                  {tty, []string{"--print=x"}, true},
		"--version":                 {tty, []string{"--version"}, true},
		"-v":                        {tty, []string{"-v"}, true},
		"--help":                    {tty, []string{"--help"}, true},
		"claude mcp":                {tty, []string{"mcp", "serve"}, true},
		"claude agents":             {tty, []string{"agents", "--json"}, true},
		"claude update":             {tty, []string{"update"}, true},
		"claude doctor":             {tty, []string{"doctor"}, true},
		"claude attach":             {tty, []string{"attach", "3994d6ba"}, true},
		"claude logs":               {tty, []string{"logs", "3994d6ba"}, true},
		"claude stop":               {tty, []string{"stop", "3994d6ba"}, true},
		"claude --bg":               {tty, []string{"--bg", "--permission-mode", "manual", "x"}, true},
		"the daemon":                {tty, []string{"daemon", "run", "--origin", "transient"}, true},
		"a pty host":                {tty, []string{"bg-pty-host", "--bg-pty-host", "/tmp/cc/x.sock", "200", "50", "--", "/opt/claude/claude", "--session-id", id}, true},
		"a spare":                   {tty, []string{"bg-spare", "--bg-spare", "/tmp/cc/x.claim.sock"}, true},
		"a job":                     {tty, []string{"--session-id", id, "--permission-mode", "manual", "x"}, false},
	} {
		w, is := runs(sources.Proc{PID: 41, TTY: tc.tty, Exe: "/opt/claude/claude", Args: append([]string{"/opt/claude/claude"}, tc.args...)})
		if !is || w.Loose != tc.want {
			t.Errorf("%s: %v, loose %v, want %v", name, is, w.Loose, tc.want)
		}
	}
	// Helpers set their own title: one word with everything in it.
	for _, title := range []string{"claude bg-spare --bg-spare /tmp/cc/x.claim.sock", "claude bg-pty-host --bg-pty-host /tmp/cc/x.sock 200 50", "claude daemon run"} {
		w, is := runs(sources.Proc{PID: 41, TTY: tty, Exe: "/opt/claude/claude", Args: []string{title}})
		if !is || !w.Loose {
			t.Errorf("%q: %v, loose %v", title, is, w.Loose)
		}
	}
}

func TestRunsID(t *testing.T) {
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"a new session":      {nil, ""},
		"--resume":           {[]string{"--resume", id}, id},
		"--resume=":          {[]string{"--resume=" + id, "x"}, id},
		"-r":                 {[]string{"-r", id}, id},
		"--session-id":       {[]string{"--session-id", id, "x"}, id},
		"a picker":           {[]string{"--resume"}, ""},
		"a title":            {[]string{"--resume", "nonsense-name"}, ""},
		"--continue":         {[]string{"--continue"}, ""},
		"a fork":             {[]string{"--resume", id, "--fork-session"}, ""},
		"a fork, said first": {[]string{"--fork-session", "--resume", id}, ""},
		"a path":             {[]string{"--resume", "../../" + id}, ""},
		"in a prompt":        {[]string{"what is --resume " + id}, ""},
	} {
		w, is := runs(sources.Proc{PID: 41, TTY: tty, Args: append([]string{"claude"}, tc.args...)})
		if !is || w.ID != tc.want {
			t.Errorf("%s: %v, id %q, want %q", name, is, w.ID, tc.want)
		}
	}
}

func TestRunsWho(t *testing.T) {
	got, is := runs(sources.Proc{
		PID: 41, Parent: 40, Ticks: 129270, TTY: tty, Dir: "/home/dev/proj", Args: []string{"claude"},
		Env: map[string]string{"CLAUDE_CONFIG_DIR": "/home/dev/cfg", "TERM": "xterm"},
	})
	want := engine.Who{Tool: "claude", PID: 41, Parent: 40, Ticks: 129270, TTY: tty, Dir: "/home/dev/proj", Home: "/home/dev/cfg"}
	if !is || got != want {
		t.Errorf("got %v, %+v, want %+v", is, got, want)
	}
}
