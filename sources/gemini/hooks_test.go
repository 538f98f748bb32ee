package gemini

import (
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

func called(t *testing.T, event, more string, h sources.Hook) []engine.Event {
	t.Helper()
	h.Event, h.At, h.Payload = event, time.Unix(1, 0), []byte(`{"session_id":"`+id+`","cwd":"/w","hook_event_name":"`+event+`"`+more+`}`)
	events, err := hook(h)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// A dialog and its call are told apart from others by what both say.
func TestDialogsFindTheirCalls(t *testing.T) {
	attended := sources.Hook{PID: 7, TTY: "/dev/pts/1"}
	for _, tt := range []struct{ name, before, notice string }{
		{"a command", `,"tool_name":"run_shell_command","tool_input":{"command":"ls -l","description":"x"}`, `{"type":"exec","command":"ls -l","rootCommand":"ls"}`},
		{"an edit", `,"tool_name":"write_file","tool_input":{"file_path":"src/a.go","content":"x"}`, `{"type":"edit","fileName":"a.go","filePath":"/w/src/a.go"}`},
		{"another edit", `,"tool_name":"replace","tool_input":{"file_path":"/w/src/a.go"}`, `{"type":"edit","filePath":"/w/src/a.go"}`},
		{"a question", `,"tool_name":"ask_user","tool_input":{"questions":[{"question":"Which?"}]}`, `{"type":"ask_user","title":"Ask User"}`},
	} {
		opened := called(t, "BeforeTool", tt.before, attended)[0].Fact.(engine.CallOpened)
		closed := called(t, "AfterTool", tt.before, attended)[0].Fact.(engine.CallClosed)
		asked := called(t, "Notification", `,"notification_type":"ToolPermission","details":`+tt.notice, attended)[0].Fact.(engine.Asked)
		if opened.Key != asked.Key || opened.Key != closed.Key || opened.Call == "" || asked.Brief || asked.Question != (tt.name == "a question") {
			t.Errorf("%s: %+v, %+v, %+v", tt.name, opened, asked, closed)
		}
	}
	asked := called(t, "Notification", `,"notification_type":"ToolPermission","details":{"type":"mcp","toolName":"x"}`, attended)[0].Fact.(engine.Asked)
	if !asked.Brief {
		t.Errorf("nobody tells its end: %+v", asked)
	}
}

func TestHooks(t *testing.T) {
	attended := sources.Hook{PID: 7, TTY: "/dev/pts/1", Env: map[string]string{homeEnv: "/x"}}
	for _, tt := range []struct {
		event, more string
		want        engine.Fact // nil: none
	}{
		{"SessionStart", `,"source":"startup"`, engine.Started{}},
		{"BeforeAgent", `,"prompt":"hi"`, engine.Prompted{Human: true}},
		{"AfterAgent", ``, engine.Finished{Uncounted: true}},
		{"SessionEnd", `,"reason":"exit"`, engine.Closed{}},
		{"SessionEnd", `,"reason":"clear"`, nil},
		{"PreCompress", `,"trigger":"auto"`, engine.Lived{}},
		{"Notification", `,"notification_type":"Other"`, nil},
		{"NeverHeardOf", ``, engine.Lived{}},
	} {
		events := called(t, tt.event, tt.more, attended)
		if tt.want == nil {
			if len(events) != 0 {
				t.Errorf("%s%s: got %v", tt.event, tt.more, events)
			}
			continue
		}
		if len(events) == 0 || events[0].Fact != tt.want {
			t.Errorf("%s%s: got %v, want %v", tt.event, tt.more, events, tt.want)
			continue
		}
		if w := events[0].Who; w.ID != id || w.PID != 7 || w.Dir != "/w" || w.Home != "/x/.gemini" || w.Loose {
			t.Errorf("%s: of %+v", tt.event, w)
		}
	}
	if w := called(t, "SessionStart", "", sources.Hook{PID: 7})[0].Who; !w.Loose {
		t.Errorf("without a terminal: %+v", w)
	}
	if w := called(t, "SessionStart", "", sources.Hook{})[0].Who; w.Loose {
		t.Errorf("in a container: %+v", w)
	}
}
