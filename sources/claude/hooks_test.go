package claude

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

var attended = map[string]string{"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1"}

func hooked(t *testing.T, text string, env map[string]string) []engine.Event {
	t.Helper()
	got, err := hook(sources.Hook{Payload: json.RawMessage(text), At: mod, PID: 41, Ticks: 7, TTY: "/dev/pts/1", Env: env})
	if err != nil {
		t.Fatal(err)
	}
	for _, ev := range got {
		if ev.By != engine.Hook || ev.Who.Tool != "claude" || !ev.At.Equal(mod) {
			t.Errorf("%s: %+v", text, ev)
		}
	}
	return got
}

// TestHooks checks the translation of each hook, on payloads as recorded. Those that begin
// something count like those that end it (C19).
func TestHooks(t *testing.T) {
	for _, c := range []struct{ payload, want string }{
		{`"SessionStart","source":"startup","model":"opus"`, "Started Described"},
		{`"SessionStart","source":"compact"`, "Compacting"},
		{`"UserPromptSubmit","prompt":"Fix it. Now"`, "Prompted Described"},
		{`"UserPromptSubmit","prompt":"<task-notification>\n<task-id>x"`, "Prompted"},
		{`"UserPromptSubmit","prompt":"go on","source":"loop_wakeup"`, "Prompted"},
		{`"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t1"`, "CallOpened"},
		{`"PostToolUse","tool_use_id":"t1"`, "CallClosed"},
		{`"PostToolUseFailure","tool_use_id":"t1"`, "CallClosed"},
		{`"PermissionDenied","tool_use_id":"t1"`, "CallClosed"},
		{`"PostToolBatch","tool_calls":[{"tool_use_id":"t1"},{"tool_use_id":"t2"}]`, "CallClosed CallClosed"},
		{`"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"}`, "Asked"},
		{`"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"},"effort":"high"`, "Asked"},
		{`"Stop","message":{"of":"another shape"}`, "Finished"},
		{`"Notification","notification_type":"permission_prompt"`, "Asked"},
		{`"Notification","notification_type":"idle_prompt"`, "Lived"},
		{`"Stop","background_tasks":[]`, "Finished"},
		{`"StopFailure","error":"rate_limit"`, "Finished"},
		{`"SubagentStart","agent_id":"a1","agent_type":"Explore"`, "AgentRan"},
		{`"SubagentStop","agent_id":"a1","agent_type":"Explore"`, "Finished"},
		{`"PreCompact","trigger":"manual"`, "Compacting"},
		{`"CwdChanged","old_cwd":"/a","new_cwd":"/b"`, "Lived"},
		{`"SessionEnd","reason":"other"`, "Closed"},
		{`"SessionEnd","reason":"clear"`, ""},
		{`"SomethingNew"`, "Lived"},
		{`"PreToolUse","tool_name":"Read","tool_use_id":"t1","permission_mode":"plan"`, "CallOpened Trusting Described"},
		{`"PreToolUse","tool_name":"Read","tool_use_id":"t1","permission_mode":"plan","agent_id":"a1"`, "CallOpened"},
	} {
		var got []string
		for _, ev := range hooked(t, `{"session_id":"`+id+`","cwd":"/w","hook_event_name":`+c.payload+`}`, attended) {
			got = append(got, kind(ev.Fact))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %q, want %q", c.payload, got, c.want)
		}
	}
}

func kind(f engine.Fact) string { return reflect.TypeOf(f).Name() }

// TestHookScripted checks that a run nobody attends is nobody's, also when it carries
// the id of a live session (claude -p --resume; C51).
func TestHookScripted(t *testing.T) {
	payload := `{"session_id":"` + id + `","hook_event_name":"UserPromptSubmit","prompt":"x"}`
	for _, env := range []map[string]string{
		{"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, {"CLAUDE_CODE_SESSION_ATTENDED": "0"}, {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "0"},
	} {
		if got := hooked(t, payload, env); len(got) > 0 {
			t.Errorf("%v: says %v", env, got)
		}
	}
	if got := hooked(t, payload, map[string]string{"CLAUDE_CODE_ENTRYPOINT": "claude-vscode", "CLAUDE_CODE_SESSION_ATTENDED": "1"}); len(got) == 0 || got[0].Who.RunsIn != "VS Code" {
		t.Errorf("an editor's session: says %v", got)
	}
}

// TestHookPairs checks that a permission request is told to be about its call, which it
// does not name, by tool and input.
func TestHookPairs(t *testing.T) {
	at := func(event, rest string) engine.Fact {
		return hooked(t, `{"session_id":"`+id+`","hook_event_name":"`+event+`","tool_name":"Bash"`+rest+`}`, attended)[0].Fact
	}
	call := at("PreToolUse", `,"tool_input":{"command":"ls"},"tool_use_id":"t1"`).(engine.CallOpened)
	asked := at("PermissionRequest", `,"tool_input":{"command":"ls"}`).(engine.Asked)
	other := at("PermissionRequest", `,"tool_input":{"command":"rm"}`).(engine.Asked)
	if call.Key != asked.Key || call.Key == other.Key || asked.Text != "ls" {
		t.Errorf("call %q, its request %q, another %q", call.Key, asked.Key, other.Key)
	}
	for _, block := range []string{`{"type":"tool_use","id":"t1","name":"Bash","input":{"command": "ls"}}`, `{"type":"tool_use","id":"t2","name":"Odd","input":{"a": 1}}`} {
		evs, err := transcript(mainLog, []byte(assistantRecord("["+block+"]", `"tool_use"`, "")))
		if err != nil {
			t.Fatal(err)
		}
		told := evs[0].Fact.(engine.CallOpened)
		if want := key(told.Name, map[string]json.RawMessage{"Bash": json.RawMessage(`{"command":"ls"}`), "Odd": json.RawMessage(`{"a":1}`)}[told.Name]); told.Key != want {
			t.Errorf("the transcript's %s has the key %q, its hook %q", told.Name, told.Key, want)
		}
	}
}

// TestHookTasks checks what runs on after a Stop (C14, C16).
func TestHookTasks(t *testing.T) {
	got := hooked(t, `{"session_id":"`+id+`","hook_event_name":"Stop","background_tasks":[
		{"id":"a","type":"subagent","status":"running"},{"id":"b","type":"shell","status":"running"},
		{"id":"c","type":"shell","status":"completed"},{"id":"d","type":"workflow","status":"running"}]}`, attended)
	if f := got[0].Fact.(engine.Finished); f.Running != 2 || f.Shells != 1 || f.Uncounted {
		t.Errorf("got %+v", f)
	}
	got = hooked(t, `{"session_id":"`+id+`","hook_event_name":"Stop","stop_hook_active":false}`, attended) // 2.1.100
	if f := got[0].Fact.(engine.Finished); !f.Uncounted {
		t.Errorf("without a list of tasks: got %+v", f)
	}
}

// TestHookRecordings feeds every recorded payload: none is refused, and none tells
// what is not told of a session.
func TestHookRecordings(t *testing.T) {
	files, err := filepath.Glob("testdata/hooks/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<22)
		for lines.Scan() {
			var r struct {
				T       int64             `json:"t"`
				Env     map[string]string `json:"env"`
				Payload json.RawMessage   `json:"payload"`
			}
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			var p payload
			if err := json.Unmarshal(r.Payload, &p); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			seen[p.Event] = true
			if _, err := hook(sources.Hook{Payload: r.Payload, At: time.Unix(0, r.T), Env: r.Env}); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PermissionRequest", "Stop", "StopFailure", "SubagentStop", "SessionEnd"} {
		if !seen[event] {
			t.Errorf("no recording of %s", event)
		}
	}
}

func FuzzHook(f *testing.F) {
	f.Add([]byte(`{"session_id":"x","hook_event_name":"Stop","background_tasks":[{"type":"shell"}]}`))
	f.Add([]byte(`{"session_id":"x","hook_event_name":"PreToolUse","tool_input":7}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		evs, _ := hook(sources.Hook{Payload: text, At: mod, PID: 41, Env: attended})
		for _, ev := range evs {
			if ev.Who.ID == "" || ev.Who.Tool != tool {
				t.Errorf("%q: %+v", text, ev)
			}
		}
	})
}

// TestHooksThatCursorCalls checks that what Cursor tells the hooks of Claude Code, which it
// calls too, makes no card (C93).
func TestHooksThatCursorCalls(t *testing.T) {
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"} {
		events, err := hook(sources.Hook{Event: event, PID: 7, TTY: "/dev/pts/1", Payload: []byte(`{"session_id":"0c4e7b52-6a1d-4f38-9b0e-5d2f8a7c1e93","hook_event_name":"` + event +
			`","conversation_id":"0c4e7b52-6a1d-4f38-9b0e-5d2f8a7c1e93","cursor_version":"2026.10.01-e373342","prompt":"hi"}`)})
		if err != nil || len(events) != 0 {
			t.Errorf("%s: got %v %v", event, events, err)
		}
	}
}
