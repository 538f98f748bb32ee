package client

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

const payload = `{"session_id":"3f0c","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls }\" \\"}}`

// TestArrives checks what of a call arrives, and that no secret does.
func TestArrives(t *testing.T) {
	dir := runtimeDir(t)
	r := listenIn(t, dir)
	before := time.Now()
	c := newChild(t, dir, name, "claude", "PreToolUse")
	c.Env = append(c.Env, "TERM=xterm", "TMUX_PANE=%7", "AGENT_MANAGER_TERMINAL_ID=t1", "CLAUDE_CODE_SESSION_ATTENDED=0",
		"FAKE_TOKEN=hush-1", "CLAUDE_CODE_MESSAGING_TOKEN=hush-2", "ANTHROPIC_API_KEY=hush-3", "AWS_SECRET_ACCESS_KEY=hush-4",
		"PATH=hush-5", "HOME=/hush-6", "TERM_TOKEN=hush-7", "CLAUDE_CODE_TOKEN=hush-8")
	c.Stdin = strings.NewReader("\n " + payload + "\n" + `{"second":"value"}`)
	c.fine(t, "")
	f, raw := r.one(t), <-r.raw
	if bytes.Contains(raw, []byte("hush")) || bytes.Contains(raw, []byte("TOKEN")) || bytes.Contains(raw, []byte("KEY")) {
		t.Errorf("a secret was sent: %q", raw)
	}
	if f.Tool != "claude" || f.Event != "PreToolUse" || string(f.Payload) != payload || f.Cut || f.Size != int64(len(payload)) {
		t.Errorf("got %+v %q", f, f.Payload)
	}
	want := []string{"TERM=xterm", "TMUX_PANE=%7", "AGENT_MANAGER_TERMINAL_ID=t1", "CLAUDE_CODE_SESSION_ATTENDED=0"}
	if !slices.Equal(f.Env, want) {
		t.Errorf("environment %q, want %q", f.Env, want)
	}
	if at := time.Unix(0, f.Wall); at.Before(before.Add(-time.Second)) || at.After(time.Now().Add(time.Second)) {
		t.Errorf("sent at %v, between %v and now", at, before)
	}
	if now := Boot(); now != 0 && (f.Boot <= 0 || f.Boot > now || now-f.Boot > int64(10*time.Second) || f.BootID != BootID()) {
		t.Errorf("sent %d ns after boot %q, now it is %d after %q", f.Boot, f.BootID, now, BootID())
	}
	if f.Self != c.Process.Pid {
		t.Errorf("sent by %d, want %d", f.Self, c.Process.Pid)
	}
	me, ok := look(os.Getpid())
	if !ok {
		t.Skip("processes cannot be looked up here")
	}
	if f.PID != os.Getpid() || f.Ticks != me.ticks || f.Ticks == 0 || f.TTY != me.tty {
		t.Errorf("called by %d %d %q, want %d %d %q", f.PID, f.Ticks, f.TTY, os.Getpid(), me.ticks, me.tty)
	}
}

// TestCalled checks the ways to call the client, and what the tools are told.
func TestCalled(t *testing.T) {
	dir := runtimeDir(t)
	r := listenIn(t, dir)
	for _, c := range []struct {
		argv              string
		tool, event, says string
	}{
		{"deskbell-hook", "claude", "", ""},
		{"/opt/my bin/deskbell-hook", "claude", "", ""},
		{"deskbell-hook.exe codex Stop", "codex", "Stop", ""},
		{"deskbell hook", "claude", "", ""},
		{"deskbell hook copilot sessionStart", "copilot", "sessionStart", ""},
		{"deskbell hook gemini", "gemini", "", "{}\n"},
		{"deskbell-hook cursor stop too many", "cursor", "stop", "{}\n"},
	} {
		argv := strings.Split(c.argv, " ")
		if argv[0] == "/opt/my" {
			argv = []string{c.argv}
		}
		child := newChild(t, dir, argv...)
		child.Stdin = strings.NewReader(payload)
		child.fine(t, c.says)
		if f := r.one(t); f.Tool != c.tool || f.Event != c.event || string(f.Payload) != payload {
			t.Errorf("%s: got %s %s %q", c.argv, f.Tool, f.Event, f.Payload)
		}
	}
	// An older Codex passes its notice as an argument, and leaves standard input open.
	held := newChild(t, dir, name, "codex", `{"type":"agent-turn-complete"}`)
	if _, err := held.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	held.fine(t, "")
	if f := r.one(t); f.Tool != "codex" || f.Event != "" || string(f.Payload) != `{"type":"agent-turn-complete"}` {
		t.Errorf("got %+v %q", f, f.Payload)
	}
	help := newChild(t, dir, "deskbell", "hook", "--help")
	help.fine(t, usage)
	r.none(t, dir)
}

// TestC87NoDecision checks that nothing an agent could take for a decision is ever
// printed, whatever it is asked.
func TestC87NoDecision(t *testing.T) {
	dir := runtimeDir(t)
	r := listenIn(t, dir)
	for _, tool := range []string{"claude", "codex", "opencode", "gemini", "copilot", "cursor", "unheard-of"} {
		for _, event := range []string{"PermissionRequest", "PreToolUse", "BeforeTool", "beforeShellExecution", "Stop"} {
			c := newChild(t, dir, name, tool, event)
			c.Stdin = strings.NewReader(`{"hook_event_name":"` + event + `","decision":"approve","permission":"allow","continue":false}`)
			if err := c.Run(); err != nil {
				t.Errorf("%s %s: %v", tool, event, err)
			}
			r.one(t)
			var says map[string]any
			if out := c.out.Bytes(); len(out) > 0 && (json.Unmarshal(out, &says) != nil || len(says) > 0) {
				t.Errorf("%s %s printed %q", tool, event, out)
			}
		}
	}
}

// TestC86Nonsense checks that no payload makes the client fail or talk.
func TestC86Nonsense(t *testing.T) {
	dir := runtimeDir(t)
	r := listenIn(t, dir)
	for _, c := range []struct{ in, sent string }{
		{"", ""},
		{" \r\n\t", ""},
		{"\ufeff{}", "{}"},
		{"{", "{"},
		{`{"a":"`, `{"a":"`},
		{`{"a":1}}}}`, `{"a":1}`},
		{"}", "}"},
		{"hello world", "hello"},
		{`"text" more`, `"text"`},
		{"[1,2] 3", "[1,2]"},
		{"\x00\x00{}", "\x00\x00{}"},
		{"{\"a\":\"\xff\xfe\x00\"} ", "{\"a\":\"\xff\xfe\x00\"}"},
		{strings.Repeat("[", 10000), strings.Repeat("[", 10000)},
		{strings.Repeat("[", 1000000), ""},
		{strings.Repeat("x", 1000000), ""},
	} {
		child := newChild(t, dir, name)
		child.Stdin = strings.NewReader(c.in)
		child.fine(t, "")
		if c.sent == "" && len(c.in) < whole {
			r.none(t, dir)
			continue
		}
		if f := r.one(t); string(f.Payload) != c.sent {
			t.Errorf("%.40q: sent %.40q, want %.40q", c.in, f.Payload, c.sent)
		}
	}
}
