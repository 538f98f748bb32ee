package codex

import (
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// TestHooks translates each hook of 0.171.
func TestHooks(t *testing.T) {
	agent := `"agent_id":"` + child + `","agent_type":"default"`
	for _, c := range []struct{ event, fields, want string }{
		{"SessionStart", `"source":"startup","model":"m"`, "Described{Model:m}"},
		{"UserPromptSubmit", `"prompt":"Fix it. Now","permission_mode":"default"`, "Prompted{Human:true} Described{Prompt:Fix it.} Trusting{} Described{Mode:default}"},
		{"UserPromptSubmit", `"prompt":"x","permission_mode":"bypassPermissions"`, "Prompted{Human:true} Described{Prompt:x} Trusting{Calls:true} Described{Mode:bypassPermissions}"},
		{"UserPromptSubmit", agent + `,"prompt":"x"`, "AgentRan{Agent:" + child + " Type:default Told:true}"},
		{"PreToolUse", `"tool_name":"Bash","tool_use_id":"c1","tool_input":{"command":"ls"}`, "CallOpened{Call:c1 Name:Bash Borne:true Text:ls}"},
		{"PreToolUse", `"tool_name":"request_user_input","tool_use_id":"c1","tool_input":{"questions":[{"question":"Which?"}]}`,
			"CallOpened{Call:c1 Name:request_user_input Text:Which?} Asked{Name:request_user_input Question:true Text:Which?}"},
		{"PermissionRequest", `"tool_name":"Bash","tool_input":{"command":"ls"}`, "Asked{Name:Bash Text:ls}"},
		{"PermissionRequest", agent + `,"tool_name":"Bash","tool_input":{"command":"ls"}`, "Asked{Name:Bash Agent:" + child + " Text:ls}"},
		{"PostToolUse", `"tool_use_id":"c1"`, "CallClosed{Call:c1}"},
		{"Stop", `"last_assistant_message":"x"`, "Finished{Uncounted:true}"},
		{"Stop", agent, "Finished{Agent:" + child + " Uncounted:true}"},
		{"Interrupt", "", "Finished{Trouble:interrupted Uncounted:true}"},
		{"SubagentStart", agent, "AgentRan{Agent:" + child + " Type:default Told:true}"},
		{"SubagentStart", "", ""},
		{"SubagentStop", agent, "Finished{Agent:" + child + "}"},
		{"PreCompact", "", "Compacting{}"},
		{"PostCompact", "", "Compacting{Done:true}"},
		{"SessionEnd", agent, ""},
		{"Later", "", "Lived{}"},
		{"Later", agent, ""},
	} {
		got, err := hook(hooked(c.event, c.fields))
		if err != nil || facts(got) != c.want {
			t.Errorf("%s %s\ngot  %s %v\nwant %s", c.event, c.fields, facts(got), err, c.want)
		}
	}
}

// TestHookCaller checks whose process a hook names: the server's is nobody's, and neither
// its terminal nor its word that a session has ended says anything of that session.
func TestHookCaller(t *testing.T) {
	for _, c := range []struct {
		name   string
		caller string // its command line; "": it cannot be looked up
		tty    string
		want   engine.Who
		says   string
	}{
		{"the server", managed + " app-server --listen unix://", "", engine.Who{}, ""},
		{"the server, started in a terminal", managed + " app-server --listen unix://", "/dev/pts/1", engine.Who{}, ""},
		{"a TUI without the server", vendor + " --no-daemon", "/dev/pts/1", engine.Who{PID: 41, Ticks: 7, TTY: "/dev/pts/1"}, "Closed{}"},
		{"a script", vendor + " exec hi", "/dev/pts/1", engine.Who{}, ""},
		{"nobody knows, with a terminal", "", "/dev/pts/1", engine.Who{PID: 41, Ticks: 7, TTY: "/dev/pts/1"}, "Closed{}"},
		{"nobody knows", "", "", engine.Who{}, ""},
		{"somebody else", "sh -c x", "/dev/pts/1", engine.Who{PID: 41, Ticks: 7, TTY: "/dev/pts/1"}, "Closed{}"},
	} {
		call := func(event string) []engine.Event {
			h := hooked(event, "")
			h.PID, h.Ticks, h.TTY, h.At = 41, 7, c.tty, time.Unix(9, 0)
			h.Env = map[string]string{homeEnv: "/h", "TMUX_PANE": "%0"}
			h.Caller = func() (sources.Proc, bool) {
				return sources.Proc{PID: 41, Args: strings.Split(c.caller, " ")}, c.caller != ""
			}
			got, err := hook(h)
			if err != nil {
				t.Error(err)
			}
			return got
		}
		if got := facts(call("SessionEnd")); got != c.says {
			t.Errorf("%s: SessionEnd says %q, want %q", c.name, got, c.says)
		}
		got := call("Stop")
		if c.name == "a script" {
			if len(got) > 0 {
				t.Errorf("%s says %s", c.name, facts(got))
			}
			continue
		}
		c.want.Tool, c.want.ID, c.want.Dir, c.want.Home = tool, id, "/home/dev/proj", "/h"
		if len(got) != 1 || got[0].Who != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestHookRefuses(t *testing.T) {
	for _, text := range []string{`{"session_id":"../x","hook_event_name":"Stop"}`, `{"hook_event_name":"Stop"}`, `{}`} {
		if got, err := hook(sources.Hook{Payload: []byte(text)}); len(got) > 0 || err != nil {
			t.Errorf("%s: got %v %v", text, got, err)
		}
	}
	if got, err := hook(sources.Hook{Payload: []byte(`[`)}); err == nil {
		t.Errorf("got %v for half a payload", got)
	}
	if got, err := hook(hooked("Stop", `"model":7`)); err != nil || facts(got) != "Finished{Uncounted:true}" {
		t.Errorf("a field of another shape: got %v %v", got, err)
	}
}
