package codex

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"deskbell/engine"
	"deskbell/sources"
)

const (
	log    = "sessions/2026/11/30/rollout-2026-11-30T07-14-40-" + id + ".jsonl"
	child  = "01a22b54-f727-77a0-a60c-abaf1b754305"
	prefix = `{"timestamp":"2026-11-30T07:14:55.000Z","type":"session_meta","payload":`
	tui    = prefix + `{"id":"` + id + `","session_id":"` + id + `","timestamp":"2026-11-30T07:14:40.650Z","cwd":"/home/dev/proj","originator":"codex-tui","source":"vscode"}}`
	spawnd = prefix + `{"id":"` + child + `","session_id":"` + id + `","cwd":"/home/dev/proj","originator":"codex-tui","source":{"subagent":{"thread_spawn":{"parent_thread_id":"` + id + `","depth":1,"agent_nickname":"Schrodinger","agent_role":null}}}}}`
)

// line is a line of a rollout.
func line(kind, payload string) string {
	return fmt.Sprintf(`{"timestamp":"2026-11-30T07:15:00Z","type":%q,"payload":%s}`, kind, payload)
}

// written is a fact as the tables of these tests have it: its name, and its fields that are
// not empty, but for its key.
func written(f engine.Fact) string {
	v := reflect.ValueOf(f)
	var fields []string
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; !v.Field(i).IsZero() && name != "Key" {
			fields = append(fields, fmt.Sprintf("%s:%v", name, v.Field(i)))
		}
	}
	return v.Type().Name() + "{" + strings.Join(fields, " ") + "}"
}

func facts(events []engine.Event) string {
	var out []string
	for _, ev := range events {
		out = append(out, written(ev.Fact))
	}
	return strings.Join(out, " ")
}

// TestRecords reads each kind of record, of the three versions.
func TestRecords(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{tui, "Started{Apart:true}"},
		{strings.Replace(tui, "vscode", "cli", 1), "Started{Apart:true}"}, // what counts is the first line of its log
		{spawnd, ""}, // a copy of another thread's
		{line("event_msg", `{"type":"task_started","turn_id":"t1","turn_attribution":{"turn_trigger":"user"}}`), "Prompted{Human:true} Wrote{}"},
		{line("event_msg", `{"type":"task_started","turn_id":"t1"}`), "Prompted{Human:true} Wrote{}"}, // 0.128
		{line("event_msg", `{"type":"task_started","turn_attribution":{"turn_trigger":"goal"}}`), "Prompted{} Wrote{}"},
		{line("event_msg", `{"type":"user_message","message":"Fix it. Now"}`), "Prompted{Human:true} Wrote{} Described{Prompt:Fix it.}"},
		{line("event_msg", `{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":"Fix it. Now"}]}}`), "Prompted{Human:true} Wrote{} Described{Prompt:Fix it.}"},
		{line("event_msg", `{"type":"agent_message","message":"done"}`), "Replied{} Wrote{}"},
		{line("event_msg", `{"type":"item_completed","item":{"type":"AgentMessage","content":[{"type":"Text","text":"done"}]}}`), "Replied{} Wrote{}"},
		{line("event_msg", `{"type":"item_completed","item":{"type":"CommandExecution","id":"call_1"}}`), ""},
		{line("event_msg", `{"type":"token_count","info":null}`), ""},
		{line("event_msg", `{"type":"thread_settings_applied"}`), ""},
		{line("event_msg", `{"type":"task_complete","turn_id":"another","last_agent_message":"x"}`), "Finished{} Wrote{}"}, // C56
		{line("event_msg", `{"type":"task_complete","error":null}`), "Finished{} Wrote{}"},
		{line("event_msg", `{"type":"task_complete","error":{"message":"x","codex_error_info":"internal_server_error"}}`), "Finished{Trouble:overloaded} Wrote{}"},
		{line("event_msg", `{"type":"task_complete","error":{"message":"x","codex_error_info":{"response_stream_disconnected":{"http_status_code":500}}}}`), "Finished{Trouble:api_error} Wrote{}"},
		{line("event_msg", `{"type":"task_complete","error":{"codex_error_info":"usage_limit_exceeded"}}`), "Finished{Trouble:rate_limit} Wrote{}"},
		{line("event_msg", `{"type":"task_complete","error":"x"}`), "Finished{Trouble:api_error} Wrote{}"},
		{line("event_msg", `{"type":"error","message":"x","codex_error_info":"other"}`), "Finished{Trouble:api_error} Wrote{}"}, // 0.128
		{line("event_msg", `{"type":"stream_error","message":"x"}`), ""},
		{line("event_msg", `{"type":"turn_aborted","turn_id":"t1","reason":"interrupted"}`), "Finished{Trouble:interrupted} Wrote{}"},
		{line("turn_context", `{"cwd":"/w","approval_policy":"on-request","model":"m"}`), "Described{Model:m Mode:on-request}"},
		{line("response_item", `{"type":"message","role":"user","content":[]}`), ""},
		{line("response_item", `{"type":"function_call","name":"exec_command","call_id":"c1","arguments":"{\"cmd\":\"ls -l\"}"}`), "CallOpened{Call:c1 Name:Bash Mute:true Text:ls -l} Wrote{}"},
		{line("response_item", `{"type":"function_call","name":"shell","call_id":"c1","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls -l\"]}"}`), "CallOpened{Call:c1 Name:Bash Mute:true Text:ls -l} Wrote{}"},
		{line("response_item", `{"type":"custom_tool_call","name":"apply_patch","call_id":"c1","input":"*** Begin Patch\n*** Update File: a.go\n"}`), "CallOpened{Call:c1 Name:apply_patch Mute:true Text:a.go} Wrote{}"},
		{line("response_item", `{"type":"function_call","name":"request_user_input","call_id":"c1","arguments":"{\"questions\":[{\"question\":\"Which colour?\"}]}"}`), "CallOpened{Call:c1 Name:request_user_input Quiet:answer Text:Which colour?} Wrote{}"},
		{line("response_item", `{"type":"function_call_output","call_id":"c1","output":"x"}`), "CallClosed{Call:c1} Wrote{}"},
		{line("response_item", `{"type":"web_search_call","status":"completed"}`), ""},
		{line("compacted", `{"message":"x"}`), "Compacting{Done:true} Wrote{}"},
		{line("world_state", `{}`), ""},
	} {
		got, err := rollout(log, []byte(tui))([]byte(c.line))
		if err != nil || facts(got) != c.want {
			t.Errorf("%s\ngot  %s %v\nwant %s", c.line, facts(got), err, c.want)
		}
		for _, ev := range got {
			if ev.Who.ID != id || ev.Who.Tool != tool || ev.Who.Dir == "" || ev.By != engine.Transcript {
				t.Errorf("%s: %+v", c.line, ev)
			}
		}
	}
}

// TestBegan checks that a thread began when its terminal was opened, not with its rollout.
func TestBegan(t *testing.T) {
	got, _ := rollout(log, []byte(tui))([]byte(tui))
	if at := got[0].At.Format("15:04:05.000"); at != "07:14:40.650" {
		t.Errorf("it began at %s", at)
	}
}

// TestSubagent checks that what a sub-agent does is told of its parent's session.
func TestSubagent(t *testing.T) {
	read := rollout(strings.ReplaceAll(log, id, child), []byte(spawnd))
	for _, c := range []struct{ line, want string }{
		{spawnd, "AgentRan{Agent:" + child + " Type:Schrodinger Told:true}"},
		{line("event_msg", `{"type":"task_started"}`), "AgentRan{Agent:" + child + " Type:Schrodinger Told:true} Wrote{Agent:" + child + "}"},
		{line("response_item", `{"type":"function_call","name":"exec_command","call_id":"c1","arguments":"{}"}`), "CallOpened{Call:c1 Name:Bash Mute:true Agent:" + child + "} Wrote{Agent:" + child + "}"},
		{line("turn_context", `{"cwd":"/other"}`), ""},
		{line("event_msg", `{"type":"task_complete"}`), "Finished{Agent:" + child + "} Wrote{Agent:" + child + "}"},
	} {
		got, err := read([]byte(c.line))
		if err != nil || facts(got) != c.want {
			t.Errorf("%s\ngot  %s %v\nwant %s", c.line, facts(got), err, c.want)
		}
		for _, ev := range got {
			if ev.Who != (engine.Who{Tool: tool, ID: id}) {
				t.Errorf("%s is of %+v", c.line, ev.Who)
			}
		}
	}
}

// TestNobodys checks whose rollouts are nobody's: those of scripts, of editors, and of what
// Codex starts for itself.
func TestNobodys(t *testing.T) {
	meta := func(originator, source string) []byte {
		return []byte(prefix + `{"id":"` + id + `","originator":"` + originator + `","source":` + source + `}}`)
	}
	for _, c := range []struct {
		originator, source string
		is                 bool
	}{
		{"codex-tui", `"vscode"`, true}, // a TUI on the server
		{"codex-tui", `"cli"`, true},
		{"codex_cli_rs", `"cli"`, true}, // 0.98
		{"my_fork", `"cli"`, true},
		{"codex_exec", `"exec"`, false},
		{"codex-tui", `"exec"`, false},
		{"codex_vscode", `"vscode"`, false},
		{"codex-tui", `"mcp"`, false},
		{"codex-tui", `{"subagent":"review"}`, false},
		{"codex-tui", `{"subagent":{"other":"guardian"}}`, false},
		{"codex-tui", `{"internal":"title"}`, false},
		{"codex_exec", `{"subagent":{"thread_spawn":{"parent_thread_id":"` + child + `"}}}`, false},
		{"codex-tui", `null`, true}, // older versions do not say,
	} {
		if got := rollout(log, meta(c.originator, c.source)) != nil; got != c.is {
			t.Errorf("%s %s: somebody's is %v", c.originator, c.source, got)
		}
	}
	for _, first := range []string{"", "{}", tui[:80], line("event_msg", `{"type":"task_started"}`), strings.ReplaceAll(tui, id, "../../x")} {
		if rollout(log, []byte(first)) != nil {
			t.Errorf("%.100s: is somebody's", first)
		}
	}
}

// TestPairs checks that a permission request, the hook of its call and the record of that
// tell the same key.
func TestPairs(t *testing.T) {
	open := func(events []engine.Event, _ error) engine.Fact { return events[0].Fact }
	record := open(rollout(log, []byte(tui))([]byte(line("response_item", `{"type":"function_call","name":"exec_command","call_id":"c1","arguments":"{\"cmd\":\"sleep 6\",\"yield_time_ms\":3}"}`)))).(engine.CallOpened)
	call := open(hook(hooked("PreToolUse", `"tool_name":"Bash","tool_use_id":"c1","tool_input":{"command":"sleep 6"}`))).(engine.CallOpened)
	asked := open(hook(hooked("PermissionRequest", `"tool_name":"Bash","tool_input":{"command":"sleep 6","description":"why"}`))).(engine.Asked)
	if record.Key != call.Key || call.Key != asked.Key || asked.Text != "sleep 6" {
		t.Errorf("record %q, call %q, request %q of %q", record.Key, call.Key, asked.Key, asked.Text)
	}
	if other := open(hook(hooked("PermissionRequest", `"tool_name":"Bash","tool_input":{"command":"sleep 7"}`))).(engine.Asked); other.Key == asked.Key {
		t.Error("another command has the same key")
	}
}

// hooked is a call of a hook by the server.
func hooked(event, fields string) sources.Hook {
	if fields != "" {
		fields = "," + fields
	}
	return sources.Hook{Event: event, Payload: json.RawMessage(`{"session_id":"` + id + `","cwd":"/home/dev/proj","hook_event_name":"` + event + `"` + fields + `}`)}
}
