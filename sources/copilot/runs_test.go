package copilot

import (
	"strings"
	"testing"

	"deskbell/sources"
)

func TestRuns(t *testing.T) {
	for _, tt := range []struct {
		line  string
		is    bool
		loose bool
		id    string
	}{
		{"/usr/local/lib/node_modules/@github/copilot-linux-x64/copilot", true, false, ""},
		{"copilot", true, false, ""},
		{"copilot --banner -i hello", true, false, ""},
		{"copilot --resume=" + id, true, false, id},
		{"copilot --resume " + id, true, false, id},
		{"copilot --resume", true, false, ""},
		{"copilot --resume=fix-the-login", true, false, ""},
		{"node /opt/node_modules/@github/copilot/index.js --session-id=" + id, true, false, id},
		{"copilot -p hello", true, true, ""},
		{"copilot --prompt=hello --allow-all-tools", true, true, ""},
		{"copilot --acp", true, true, ""},
		{"copilot sessions list", true, true, ""},
		{"copilot svc deploy", true, true, ""}, // of another program
		{"node /usr/local/bin/copilot", false, false, ""},
		{"node /opt/node_modules/@github/copilot/npm-loader.js", false, false, ""},
		{"node server.js copilot", false, false, ""},
		{"vim copilot", false, false, ""},
	} {
		p := sources.Proc{PID: 7, TTY: "/dev/pts/1", Dir: "/w", Name: "MainThread", Args: strings.Fields(tt.line), Env: map[string]string{homeEnv: "/w/x"}}
		w, is := runs(p)
		if is != tt.is || w.Loose != tt.loose || w.ID != tt.id || is && w.Home != "/w/x" {
			t.Errorf("%s: got %v %+v", tt.line, is, w)
		}
		p.TTY = ""
		if w, is := runs(p); is && !w.Loose {
			t.Errorf("%s without a terminal: got %+v", tt.line, w)
		}
	}
}
