package gemini

import (
	"fmt"
	"strings"
	"testing"

	"deskbell/engine"
)

// told is what lines of a chat say, one fact a word.
func told(t *testing.T, lines ...string) string {
	t.Helper()
	translate := chat(main, []byte(head))
	var out []string
	for _, line := range append([]string{head}, lines...) {
		events, err := translate([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		for _, ev := range events {
			switch f := ev.Fact.(type) {
			case engine.Finished:
				out = append(out, "finished:"+string(f.Trouble))
			case engine.CallOpened:
				out = append(out, fmt.Sprint("opened:", f.Call, ":", f.Mute))
			case engine.CallClosed:
				out = append(out, "closed:"+f.Call+":"+f.Key)
			case engine.Prompted:
				out = append(out, fmt.Sprint("prompted:", f.Human))
			case engine.Described, engine.Wrote:
			default:
				out = append(out, strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", f), "engine.")))
			}
		}
	}
	return strings.Join(out, " ")
}

func user(text string) string {
	return `{"id":"u","timestamp":"2026-11-30T07:31:00Z","type":"user","content":[{"text":"` + text + `"}]}`
}

const (
	said     = `{"id":"g1","timestamp":"2026-11-30T07:31:01Z","type":"gemini","content":"I shall run it","model":"m"}`
	ran      = `{"id":"g1","timestamp":"2026-11-30T07:31:01Z","type":"gemini","content":"I shall run it","toolCalls":[{"id":"c","name":"run_shell_command","args":{"command":"ls"},"status":"success","timestamp":"2026-11-30T07:31:09Z"}]}`
	calls    = `{"id":"g2","timestamp":"2026-11-30T07:31:02Z","type":"gemini","content":""}`
	failed   = `{"id":"e","timestamp":"2026-11-30T07:31:03Z","type":"error","content":"[API Error: {\"error\":{\"code\":429,\"status\":\"x\"}}]"}`
	info     = `{"id":"i","timestamp":"2026-11-30T07:31:03Z","type":"info","content":"Request cancelled."}`
	answered = `{"id":"u2","timestamp":"2026-11-30T07:31:10Z","type":"user","content":[{"functionResponse":{"id":"c"}}]}`
	history  = `{"$set":{"messages":[{"id":"u"}],"lastUpdated":"2026-11-30T07:31:04Z"}}`
	updated  = `{"$set":{"lastUpdated":"2026-11-30T07:31:04Z"}}`
)

func TestChat(t *testing.T) {
	lsKey := key("run_shell_command", []byte(`{"command":"ls"}`))
	for _, tt := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"opened", nil, "started"},
		{"bookkeeping", []string{updated, history}, "started"},
		{"a word", []string{user("hi"), said}, "started prompted:true replied"},
		{"a word before a call is not the last", []string{user("hi"), said, ran, answered},
			"started prompted:true replied opened:g1:true closed:g1:" + lsKey},
		{"a call that nobody can tell of", []string{user("hi"), calls}, "started prompted:true opened:g2:true"},
		{"you stopped it", []string{user("hi"), info}, "started prompted:true finished:interrupted"},
		{"... and what was said is written once more", []string{user("hi"), info, user("<session_context>x"), user("hi"), said, history, user("new")},
			"started prompted:true finished:interrupted prompted:true"},
		{"it failed", []string{user("hi"), failed}, "started prompted:true finished:rate_limit"},
		{"an error of a command of yours ends no turn", []string{user("hi"), said, failed, info}, "started prompted:true replied"},
		{"it goes on by itself", []string{user(carryOn)}, "started prompted:false"},
		{"a file of old", []string{`{"id":"u","type":"user","content":"hi"}`}, "started"},
	} {
		if got := told(t, tt.lines...); got != tt.want {
			t.Errorf("%s: got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestWhoseChat(t *testing.T) {
	for _, first := range []string{``, `{}`, `{"sessionId":"x"}`, `{"sessionId":"../../x"}`, updated} {
		if chat(main, []byte(first)) != nil {
			t.Errorf("%s: a chat of somebody", first)
		}
	}
	if got, want := root(main), "tmp/proj/.project_root"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	sub := agent("tmp/proj/chats/"+id+"/helper.jsonl", []byte(`{"sessionId":"helper","kind":"subagent"}`))
	events, err := sub([]byte(said))
	if err != nil || len(events) != 1 || events[0].Who.ID != id || events[0].Fact != (engine.Wrote{Agent: "helper"}) {
		t.Errorf("got %v %v", events, err)
	}
}

func TestTrouble(t *testing.T) {
	for text, want := range map[string]engine.Trouble{
		`[API Error: {"error":{"message":"m","code":400,"status":"Bad Request"}}]`: engine.BadRequest,
		`[API Error: {"error":{"code": 503}}]`:                                     engine.Overloaded,
		`[API Error: got status: 401]`:                                             engine.Auth,
		`something`:                                                                engine.APIError,
	} {
		if got := trouble(text); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
