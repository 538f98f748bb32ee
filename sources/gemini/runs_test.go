package gemini

import (
	"strings"
	"testing"

	"deskbell/engine"
	"deskbell/sources"
)

func TestRuns(t *testing.T) {
	const uuid = "fa1ac43f-d563-4fb2-991a-de433859e7dd"
	for _, tt := range []struct {
		line  string
		is    bool
		loose bool
		id    string
	}{
		{"node /usr/local/bin/gemini", true, false, ""},
		{"/usr/bin/node --max-old-space-size=12052 /usr/local/bin/gemini", true, false, ""},
		{"node /opt/lib/node_modules/@google/gemini-cli/bundle/gemini.js", true, false, ""},
		{"gemini", true, false, ""},
		{"node /usr/local/bin/gemini -i hello", true, false, ""},
		{"node /usr/local/bin/gemini hello -- -p", true, false, ""},
		{"node /usr/local/bin/gemini --resume " + uuid, true, false, uuid},
		{"node /usr/local/bin/gemini -r=" + uuid, true, false, uuid},
		{"node /usr/local/bin/gemini --resume latest", true, false, ""},
		{"node /usr/local/bin/gemini --resume ../../etc", true, false, ""},
		{"node /usr/local/bin/gemini -p hello", true, true, ""},
		{"node /usr/local/bin/gemini --prompt=hello", true, true, ""},
		{"node /usr/local/bin/gemini --list-sessions", true, true, ""},
		{"node /usr/local/bin/gemini --acp", true, true, ""},
		{"node /usr/local/bin/gemini mcp list", true, true, ""},
		{"node /home/dev/gemini/server.js", false, false, ""},
		{"node server.js gemini", false, false, ""},
		{"python gemini", false, false, ""},
		{"gemini-server", false, false, ""},
	} {
		p := sources.Proc{PID: 7, TTY: "/dev/pts/1", Dir: "/w", Args: strings.Fields(tt.line), Env: map[string]string{homeEnv: "/w/x"}}
		w, is := runs(p)
		if is != tt.is || w.Loose != tt.loose || w.ID != tt.id || is && w.Home != "/w/x/.gemini" {
			t.Errorf("%s: got %v %+v", tt.line, is, w)
		}
		p.TTY = ""
		if w, is := runs(p); is && !w.Loose {
			t.Errorf("%s without a terminal: got %+v", tt.line, w)
		}
	}
}

func TestHome(t *testing.T) {
	if got := home(nil); got != "" {
		t.Errorf("got %q", got)
	}
	if w, _ := runs(sources.Proc{Args: []string{"gemini"}}); w.Home != "" {
		t.Errorf("got %q", w.Home)
	}
	if got := chats(engine.Who{ID: "latest"}); got != nil {
		t.Errorf("got %q", got)
	}
}
