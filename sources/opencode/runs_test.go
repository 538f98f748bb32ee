package opencode

import (
	"path/filepath"
	"strings"
	"testing"

	"deskbell/sources"
)

const (
	id     = "ses_dd4a7b340ffexRZHwU80D9pIf8"
	vendor = "/usr/local/lib/node_modules/opencode-ai/node_modules/opencode-linux-x64/bin/opencode"
)

// TestRuns reads the command lines that were recorded, and those that the help lists.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		args  string
		noTTY bool
		is    bool
		loose bool
		id    string
		dir   string
	}{
		{args: "opencode", is: true},
		{args: vendor, is: true},
		{args: vendor + " (deleted)", is: true},
		{args: "/usr/local/lib/node_modules/opencode-ai/bin/.opencode", is: true},
		{args: `C:/npm/opencode.exe`, is: true},
		{args: "node /usr/local/bin/opencode"}, // what it starts is one
		{args: "bun run src/index.ts"},
		{args: "opencode-desktop"},
		{args: "vim opencode"},
		{args: "opencode -s " + id, is: true, id: id},
		{args: "opencode --session=" + id + " --port 4096", is: true, id: id},
		{args: "opencode -s " + id + " --fork", is: true},
		{args: "opencode -s ../../etc/passwd", is: true},
		{args: "opencode -s", is: true},
		{args: "opencode -c", is: true},
		{args: "opencode --prompt run", is: true},
		{args: "opencode -m lab/none", is: true},
		{args: "opencode sub/app", is: true, dir: "/w/sub/app"},
		{args: "opencode /elsewhere -c", is: true, dir: "/elsewhere"},
		{args: "opencode --mini .", is: true, dir: "/w"},
		{args: "opencode attach http://127.0.0.1:4096 --dir /elsewhere -s " + id, is: true, dir: "/elsewhere", id: id},
		{args: "opencode attach http://127.0.0.1:4096", is: true},
		{args: "opencode", noTTY: true, is: true, loose: true},
		{args: "opencode run hello", is: true, loose: true},
		{args: "opencode --print-logs run -s " + id + " hello", is: true, loose: true, id: id},
		{args: "opencode serve --port 4096", is: true, loose: true},
		{args: "opencode web", is: true, loose: true},
		{args: "opencode acp", is: true, loose: true},
		{args: "opencode auth login", is: true, loose: true},
		{args: "opencode session list --format json", is: true, loose: true},
		{args: "opencode db path", is: true, loose: true},
		{args: "opencode --version", is: true, loose: true},
		{args: "opencode run --help", is: true, loose: true},
	} {
		args := strings.Fields(c.args)
		if strings.HasSuffix(c.args, " (deleted)") {
			args = []string{c.args}
		}
		p := sources.Proc{PID: 7, Ticks: 9, Dir: "/w", TTY: "/dev/pts/1", Args: args}
		if c.noTTY {
			p.TTY = ""
		}
		if c.dir == "" {
			c.dir = "/w"
		}
		w, is := runs(p)
		if is != c.is || is && (w.Loose != c.loose || w.ID != c.id || w.Dir != c.dir) {
			t.Errorf("%s: %v %+v", c.args, is, w)
		}
	}
}

// TestHome reads the home that a process names.
func TestHome(t *testing.T) {
	dir := t.TempDir()
	for up, want := range map[string]string{dir: filepath.Join(dir, "opencode"), "": "", "relative": ""} {
		if w, is := runs(sources.Proc{PID: 7, TTY: "/dev/pts/1", Args: []string{"opencode"}, Env: map[string]string{homeEnv: up}}); !is || w.Home != want {
			t.Errorf("%q: got %q, want %q", up, w.Home, want)
		}
	}
}
