package copilot

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// word is a fact in one word.
func word(f engine.Fact) string {
	switch f := f.(type) {
	case engine.Finished:
		return fmt.Sprint("finished:", f.Trouble, f.Agent)
	case engine.CallOpened:
		return "opened:" + f.Call
	case engine.CallClosed:
		return "closed:" + f.Call
	case engine.Asked:
		return fmt.Sprint("asked:", f.Key, ":", f.Question)
	case engine.Answered:
		return "answered:" + f.Key
	case engine.Prompted:
		return fmt.Sprint("prompted:", f.Human)
	case engine.Described, engine.Wrote:
		return ""
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", f), "engine."))
}

func line(kind, data string) string {
	return `{"type":"` + kind + `","timestamp":"2026-11-30T07:35:00Z","data":{` + data + `}}`
}

func TestEvents(t *testing.T) {
	prompt, start := line("user.message", `"content":"hi"`), line("assistant.turn_start", "")
	says, calls := line("assistant.message", `"content":"x","toolRequests":[]`), line("assistant.message", `"toolRequests":[{}]`)
	end := line("assistant.turn_end", "")
	for _, tt := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"a turn", []string{prompt, start, says, end}, "prompted:true replied finished:"},
		{"a word beside a call is not the last", []string{prompt, start, says, calls, end}, "prompted:true replied"},
		{"a model called twice", []string{prompt, start, calls, end, start, says, end}, "prompted:true replied finished:"},
		{"you stopped it", []string{prompt, start, end, line("abort", `"reason":"user_abort"`)}, "prompted:true finished:interrupted"},
		{"it failed", []string{prompt, start, end, line("session.error", `"statusCode":429`)}, "prompted:true finished:rate_limit"},
		{"an error between turns", []string{line("session.error", `"statusCode":429`)}, ""},
		{"a machine's prompt", []string{line("user.message", `"content":"x","source":"agent-1"`)}, "prompted:false"},
		{"a permission", []string{
			line("tool.execution_start", `"toolCallId":"c","toolName":"bash","arguments":{"command":"ls"}`),
			line("permission.requested", `"requestId":"r","permissionRequest":{"kind":"shell","toolCallId":"c","fullCommandText":"ls"}`),
			line("permission.completed", `"requestId":"r","toolCallId":"c"`), line("tool.execution_complete", `"toolCallId":"c"`),
		}, "opened:c asked:c:false answered:c answered:permission_prompt closed:c"},
		{"a permission for no call", []string{
			line("permission.requested", `"requestId":"r","permissionRequest":{"kind":"url","url":"http://x"}`), line("permission.completed", `"requestId":"r"`),
		}, "asked:r:false answered:r answered:permission_prompt"},
		{"a question", []string{line("tool.execution_start", `"toolCallId":"q","toolName":"ask_user","arguments":{"message":"Which?"}`)}, "opened:q asked:elicitation:true"},
		{"bookkeeping", []string{line("session.usage_record", ""), line("hook.start", ""), line("session.shutdown", "")}, ""},
		{"a sub-agent's end is not the session's", []string{prompt, start, strings.Replace(says, `"data"`, `"agentId":"a","data"`, 1), strings.Replace(end, `"data"`, `"agentId":"a","data"`, 1)}, "prompted:true"},
	} {
		translate := events(folder+"events.jsonl", nil)
		var out []string
		for _, l := range tt.lines {
			got, err := translate([]byte(l))
			if err != nil {
				t.Fatal(err)
			}
			for _, ev := range got {
				if w := word(ev.Fact); w != "" {
					out = append(out, w)
				}
			}
		}
		if got := strings.Join(out, " "); got != tt.want {
			t.Errorf("%s: got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestLists(t *testing.T) {
	mod := time.Unix(100, 0)
	at := func(name, text string) sources.File {
		return sources.File{Rel: folder + name, Text: []byte(text), Mod: mod}
	}
	if got, err := lock(at("inuse.41.lock", "41\n")); err != nil || len(got) != 1 || got[0].Who != (engine.Who{Tool: tool, ID: id, PID: 41}) {
		t.Errorf("got %+v %v", got, err)
	}
	for _, text := range []string{"", "x", "42", "-41", "41 42"} {
		if got, err := lock(at("inuse.41.lock", text)); err != nil || len(got) != 0 {
			t.Errorf("%q: got %+v %v", text, got, err)
		}
	}
	if got, _ := lock(sources.File{Rel: "session-state/x/inuse.41.lock", Text: []byte("41")}); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
	got, err := workspace(at("workspace.yaml", "id: "+id+"\ncwd: /home/dev/a b\nname: \"Fix: the \\u00e4 login\"\nuser_named: false\n"))
	if err != nil || len(got) != 1 || got[0].Who.Dir != "/home/dev/a b" || got[0].Fact != (engine.Described{Title: "Fix: the ä login"}) {
		t.Errorf("got %+v %v", got, err)
	}
	text := `{"` + id + `":{"schemaVersion":1,"openedAt":"2026-11-30T07:34:20Z","refreshedAt":"2026-11-30T07:34:21Z","working":true},"../x":{"openedAt":"2026-11-30T07:34:20Z"}}`
	got, err = open(sources.File{Rel: "open-sessions-state.json", Text: []byte(text), Mod: mod})
	if err != nil || len(got) != 2 || got[1].Fact != (engine.Listed{Level: engine.ListedBusy}) || !got[1].At.Equal(time.Date(2026, 11, 30, 7, 34, 21, 0, time.UTC)) {
		t.Errorf("got %+v %v", got, err)
	}
	if r, is := got[0].Fact.(engine.Roster); !is || !r.Complete || len(r.Rows) != 1 || r.Rows[0] != (engine.Member{ID: id, Level: engine.Present}) {
		t.Errorf("got %+v", got[0])
	}
}

func TestHooks(t *testing.T) {
	const sub = "e01285b7-c6a7-478b-8e32-df9e05734bc9"
	for _, tt := range []struct{ event, payload, want string }{
		{"sessionStart", `{"sessionId":"` + id + `","source":"new"}`, "started"},
		{"userPromptSubmitted", `{"sessionId":"` + id + `","prompt":"hi"}`, "prompted:true"},
		{"userPromptSubmitted", `{"sessionId":"` + sub + `","agentId":"` + sub + `","parentAgentId":"` + id + `","prompt":"hi"}`, "agentran"},
		{"agentStop", `{"sessionId":"` + id + `"}`, "finished:"},
		{"agentStop", `{"sessionId":"` + sub + `","agentId":"` + sub + `","parentAgentId":"` + id + `"}`, "finished:" + sub},
		{"Notification", `{"sessionId":"` + id + `","hook_event_name":"Notification","notification_type":"permission_prompt","message":"Run command: ls"}`, "asked:permission_prompt:false"},
		{"notification", `{"sessionId":"` + id + `","notification_type":"elicitation_dialog"}`, "asked:elicitation:true"},
		{"notification", `{"sessionId":"` + id + `","notification_type":"agent_idle"}`, ""},
		{"permissionRequest", `{"sessionId":"` + id + `","toolName":"bash"}`, "lived"},
		{"errorOccurred", `{"sessionId":"` + id + `","recoverable":true}`, "lived"},
		{"sessionEnd", `{"sessionId":"` + id + `","reason":"user_exit"}`, "closed"},
		{"sessionEnd", `{"sessionId":"x"}`, ""},
	} {
		got, err := hook(sources.Hook{Event: tt.event, Payload: []byte(tt.payload), PID: 7, TTY: "/dev/pts/1"})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, ev := range got {
			if w := word(ev.Fact); w != "" {
				out = append(out, w)
			}
			if ev.Who.ID != id || ev.Who.Loose {
				t.Errorf("%s: of %+v", tt.event, ev.Who)
			}
		}
		if got := strings.Join(out, " "); got != tt.want {
			t.Errorf("%s %s: got %s, want %s", tt.event, tt.payload, got, tt.want)
		}
	}
	got, _ := hook(sources.Hook{Event: "sessionStart", Payload: []byte(`{"sessionId":"` + id + `"}`), PID: 7})
	if !got[0].Who.Loose {
		t.Errorf("without a terminal: %+v", got[0].Who)
	}
}
