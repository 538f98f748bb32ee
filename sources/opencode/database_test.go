package opencode

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/clitest"
	"deskbell/sources/raw"
)

// began is when things happen in these tests.
var began = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

// recorded are the lines of all recordings.
func recorded(t testing.TB) (out []raw.Line) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in := bufio.NewScanner(f)
		in.Buffer(nil, 4<<20)
		for in.Scan() {
			var l raw.Line
			if err := json.Unmarshal(in.Bytes(), &l); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			out = append(out, l)
		}
	}
	return out
}

const child = "ses_dd4a3ecf3ffeXbpxv0ogTAd90B"

// row is a row of the session you talk to, with some columns put right.
func rowOf(more sources.Row) sources.Row {
	r := sources.Row{
		"id": "x", "session": id, "root": id, "dir": "/w/app", "title": "New session - 2026-11-30T08:00:00.000Z",
		"created": began.UnixMilli(), "updated": began.Add(time.Second).UnixMilli(),
	}
	maps.Copy(r, more)
	return r
}

const stamp = `"time":{"created":1796025600000`

// TestRows reads rows of each kind.
func TestRows(t *testing.T) {
	told := func(f func(sources.Row) ([]engine.Event, error), more sources.Row, want ...string) {
		t.Helper()
		got, err := f(rowOf(more))
		if err != nil {
			t.Errorf("%v: %v", more, err)
		}
		clitest.Compare(t, got, want...)
	}
	ofChild := sources.Row{"session": child, "kind": "general", "title": "lab task (@general subagent)"}
	told(session, nil, "Started{}")
	told(session, sources.Row{"title": "Fix the\nbug"}, "Started{}", "Described{Title:Fix the bug}")
	told(session, ofChild, "AgentRan{Agent:"+child+" Type:general Task:lab task (@general subagent)}")
	told(session, sources.Row{"archived": int64(1)})
	told(session, sources.Row{"session": "../x", "root": "../x"})
	told(session, sources.Row{"created": nil})

	for data, want := range map[string]string{
		`{"role":"user",` + stamp + `}}`:                                                                                       "Wrote{}",
		`{"role":"assistant","modelID":"m","parentID":"msg_1",` + stamp + `}}`:                                                 "Started{}|Prompted{Human:true}|Described{Model:m}|Wrote{}",
		`{"role":"assistant","parentID":"msg_0",` + stamp + `}}`:                                                               "Prompted{Human:true}|Described{}|Wrote{}",
		`{"role":"assistant",` + stamp + `,"completed":1796025601000},"finish":"stop"}`:                                        "Prompted{Human:true}|Described{}|Wrote{}|Replied{}|Finished{}|Wrote{}",
		`{"role":"assistant",` + stamp + `,"completed":1796025601000},"finish":"tool-calls"}`:                                  "Prompted{Human:true}|Described{}|Wrote{}|Wrote{}",
		`{"role":"assistant",` + stamp + `,"completed":1796025601000},"finish":"length"}`:                                      "Prompted{Human:true}|Described{}|Wrote{}|Replied{}|Finished{Trouble:max_output}|Wrote{}",
		`{"role":"assistant",` + stamp + `,"completed":1796025601000}}`:                                                        "Prompted{Human:true}|Described{}|Wrote{}|Finished{Trouble:interrupted}|Wrote{}",
		`{"role":"assistant",` + stamp + `},"error":{"name":"MessageAbortedError"}}`:                                           "Prompted{Human:true}|Described{}|Wrote{}|Finished{Trouble:interrupted}|Wrote{}",
		`{"role":"assistant",` + stamp + `},"error":{"name":"ProviderAuthError"}}`:                                             "Prompted{Human:true}|Described{}|Wrote{}|Finished{Trouble:auth}|Wrote{}",
		`{"role":"assistant",` + stamp + `},"error":{"name":"APIError","data":{"statusCode":429}}}`:                            "Prompted{Human:true}|Described{}|Wrote{}|Finished{Trouble:rate_limit}|Wrote{}",
		`{"role":"assistant",` + stamp + `},"error":{"name":"APIError","data":{"message":"x"}}}`:                               "Prompted{Human:true}|Described{}|Wrote{}|Finished{Trouble:api_error}|Wrote{}",
		`{"role":"assistant",` + stamp + `},"error":{"name":"UnknownError"}}`:                                                  "Prompted{Human:true}|Described{}|Wrote{}|Finished{Trouble:api_error}|Wrote{}",
		`{"role":"assistant","summary":true,` + stamp + `}}`:                                                                   "Compacting{}|Wrote{}",
		`{"role":"assistant","summary":true,` + stamp + `,"completed":1796025601000},"finish":"stop"}`:                         "Compacting{}|Wrote{}|Compacting{Done:true}",
		`{"role":"assistant","summary":true,` + stamp + `,"completed":1796025601000},"error":{"name":"ContextOverflowError"}}`: "Compacting{}|Wrote{}|Compacting{Done:true}|Finished{Trouble:bad_request}",
		`{"role":"user","summary":{"diffs":[]},` + stamp + `}}`:                                                                "Wrote{}",
		`{"role":"system",` + stamp + `}}`:                                                                                     "",
	} {
		var facts []string
		if want != "" {
			facts = strings.Split(want, "|")
		}
		told(message, sources.Row{"data": data, "after": "msg_1"}, facts...)
	}
	told(message, sources.Row{"session": child, "data": `{"role":"assistant",` + stamp + `,"completed":1796025601000},"finish":"stop"}`},
		"Wrote{Agent:"+child+"}", "Replied{Agent:"+child+"}", "Finished{Agent:"+child+"}", "Wrote{Agent:"+child+"}")
	told(message, sources.Row{"data": nil}) // it was too long

	told(part, sources.Row{"role": user, "data": `{"type":"text","text":"Fix it. Now."}`}, "Described{Prompt:Fix it.}", "Wrote{}")
	told(part, sources.Row{"role": user, "data": `{"type":"text","text":"go on","synthetic":true}`})
	told(part, sources.Row{"role": user, "data": `{"type":"compaction","auto":true}`}, "Prompted{Human:true}", "Compacting{}", "Wrote{}")
	told(part, sources.Row{"role": user, "data": `{"type":"compaction","auto":false}`})
	told(part, sources.Row{"role": user, "session": child, "data": `{"type":"text","text":"look"}`})
	told(part, sources.Row{"role": assistant, "data": `{"type":"text","text":"","time":{"start":1796025600000}}`}, "Wrote{}")
	told(part, sources.Row{"role": assistant, "data": `{"type":"step-start"}`}, "Wrote{}")
	call := func(state string) sources.Row {
		return sources.Row{"role": assistant, "data": `{"type":"tool","tool":"bash","callID":"c1","state":{"input":{"command":"npm  test"},"time":{"start":1796025600000,"end":1796025601000},` + state + `}}`}
	}
	const opened = "CallOpened{Call:c1 Name:bash Mute:true Text:npm test}"
	told(part, call(`"status":"pending"`), "Wrote{}")
	told(part, call(`"status":"running"`), opened, "Wrote{}")
	told(part, call(`"status":"completed"`), opened, "Wrote{}", "CallClosed{Call:c1}", "Wrote{}")
	told(part, call(`"status":"error","error":"exit status 1"`), opened, "Wrote{}", "CallClosed{Call:c1}", "Wrote{}")
	told(part, call(`"status":"error","error":"The user rejected permission to use this specific tool call."`),
		opened, "Wrote{}", "CallClosed{Call:c1}", "Finished{Trouble:interrupted}", "Wrote{}")
	told(part, call(`"status":"error","error":"The user rejected permission to use this specific tool call with the following feedback: use make"`),
		opened, "Wrote{}", "CallClosed{Call:c1}", "Wrote{}")
	told(part, sources.Row{"role": assistant, "data": `{"type":"tool","tool":"question","callID":"c2","state":{"status":"running","input":{"questions":[{"question":"Which?"}]},"time":{"start":1796025600000}}}`},
		"CallOpened{Call:c2 Name:question Quiet:answer Mute:true Text:Which?}", "Wrote{}")
	for _, bad := range []string{"{", `{"type":"text","time":7}`, `{"role":"assistant","time":[]}`, "[]"} {
		if got, err := message(rowOf(sources.Row{"data": bad})); len(got) > 0 {
			t.Errorf("%s: says %v, %v", bad, got, err)
		}
		if got, err := part(rowOf(sources.Row{"data": bad, "role": assistant})); len(got) > 0 {
			t.Errorf("%s: says %v, %v", bad, got, err)
		}
	}
}

// TestScripted checks that what "opencode run" began is nobody's, and only that: its
// sub-agents too, and no session whose rules are a user's.
func TestScripted(t *testing.T) {
	deny := func(names ...string) string {
		var list []string
		for _, n := range names {
			list = append(list, fmt.Sprintf(`{"permission":%q,"pattern":"*","action":"deny"}`, n))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	for rules, want := range map[string]bool{
		deny("question", "plan_enter", "plan_exit"):      true,
		deny("x", "plan_exit", "question", "plan_enter"): true,
		deny("task"):     false,
		deny("question"): false,
		deny():           false,
		"":               false,
		"{":              false,
		strings.ReplaceAll(deny(unasked...), "deny", "ask"): false,
	} {
		got, err := session(rowOf(sources.Row{"rules": rules}))
		if err != nil || len(got) != 1 || got[0].Who.Loose != want {
			t.Errorf("%s: %+v, %v", rules, got, err)
		}
	}
}

// TestWhose checks that a sub-agent's rows are told of the session that you talk to, and
// say nothing of the folder that one works in.
func TestWhose(t *testing.T) {
	got, err := session(rowOf(nil))
	if err != nil || len(got) != 1 || got[0].Who != (engine.Who{Tool: tool, ID: id, Dir: "/w/app"}) || !got[0].At.Equal(began) || got[0].By != engine.Transcript {
		t.Errorf("got %+v, %v", got, err)
	}
	got, err = session(rowOf(sources.Row{"session": child}))
	if err != nil || len(got) != 1 || got[0].Who != (engine.Who{Tool: tool, ID: id}) {
		t.Errorf("got %+v, %v", got, err)
	}
}
