package claude

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/clitest"
)

const (
	mainLog  = "projects/-home-dev-proj/" + id + ".jsonl"
	agentLog = "projects/-home-dev-proj/" + id + "/subagents/agent-a81afcc0b985b8584.jsonl"
	head     = `"timestamp":"2026-11-30T07:50:15.077Z","cwd":"/home/dev/proj","entrypoint":"cli"`
)

// user and assistant records, and a task notification, with what is the same in all.
func userRecord(content, more string) string {
	return `{"type":"user",` + head + more + `,"message":{"role":"user","content":` + content + `}}`
}

func assistantRecord(content, stop, more string) string {
	return `{"type":"assistant",` + head + more + `,"message":{"role":"assistant","model":"opus","stop_reason":` + stop + `,"content":` + content + `}}`
}

const human = `,"origin":{"kind":"human"},"promptSource":"typed","permissionMode":"default"`

func TestTranscript(t *testing.T) {
	for name, tc := range map[string]struct {
		line string
		want []string
	}{
		// prompts
		"a prompt": {userRecord(`"Fix it. Then test."`, human),
			[]string{"Prompted{Human:true}", "Described{Prompt:Fix it. Mode:default}", "Wrote{}"}},
		"a prompt as an array": {userRecord(`[{"type":"text","text":"Fix it"},{"type":"image"}]`, human),
			[]string{"Prompted{Human:true}", "Described{Prompt:Fix it Mode:default}", "Wrote{}", "Wrote{}"}},
		"a prompt of an older version": {userRecord(`"Fix it"`, ""),
			[]string{"Prompted{Human:true}", "Described{Prompt:Fix it}", "Wrote{}"}},
		"a queued prompt": {userRecord(`"next"`, `,"origin":{"kind":"human"},"promptSource":"queued"`),
			[]string{"Prompted{Human:true}", "Described{Prompt:next}", "Wrote{}"}},
		"a wake-up": {userRecord(`"go on"`, `,"origin":{"kind":"loop"},"promptSource":"system"`),
			[]string{"Prompted{}", "Described{}", "Wrote{}"}},
		"a task notification is no title (C11)": {userRecord(`"<task-notification>\n<task-id>b1</task-id>\n</task-notification>"`, `,"origin":{"kind":"task-notification"},"promptSource":"system"`),
			[]string{"Prompted{}", "TaskRan{Task:b1 Done:true}"}},
		"a torn task notification": {userRecord(`"<task-notification>\n<task-id>b1"`, ""),
			[]string{"Prompted{}"}},

		// no turns
		"a meta record":        {userRecord(`"<system-reminder>x</system-reminder>"`, `,"isMeta":true`), nil},
		"a local command":      {userRecord(`"<command-name>/exit</command-name>"`, ""), nil},
		"what it printed":      {userRecord(`"<local-command-stdout>Bye!</local-command-stdout>"`, ""), nil},
		"its caveat":           {userRecord(`"<local-command-caveat>x</local-command-caveat>"`, ""), nil},
		"! ls":                 {userRecord(`"<bash-input>ls</bash-input>"`, ""), nil},
		"what ls printed":      {userRecord(`"<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>"`, ""), nil},
		"a summary":            {userRecord(`"This session is being continued"`, `,"isCompactSummary":true`), []string{"Compacting{Done:true}"}},
		"no response":          {strings.Replace(assistantRecord(`[{"type":"text","text":"No response requested."}]`, `"stop_sequence"`, `,"isApiErrorMessage":false`), `"opus"`, `"<synthetic>"`, 1), nil},
		"claude -p":            {userRecord(`"x"`, `,"entrypoint":"sdk-cli","promptSource":"sdk"`), nil},
		"the answer of -p":     {assistantRecord(`[{"type":"text","text":"x"}]`, `"end_turn"`, `,"entrypoint":"sdk-cli"`), nil},
		"a local command's":    {`{"type":"system","subtype":"local_command","content":"x",` + head + `}`, nil},
		"an empty prompt":      {userRecord(`""`, human), nil},
		"a prompt of nothing":  {userRecord(`[]`, human), nil},
		"a compact boundary":   {`{"type":"system","subtype":"compact_boundary",` + head + `}`, []string{"Compacting{Done:true}"}},
		"a request is no turn": {`{"type":"api-request-blob","message":{"role":"user","content":"x"}}`, nil},

		// calls
		"a call": {assistantRecord(`[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"touch\nf","description":"x"}}]`, `"tool_use"`, ""),
			[]string{"CallOpened{Call:t1 Name:Bash Quiet:slow Text:touch f}", "Described{Model:opus}", "Wrote{}"}},
		"an edit": {assistantRecord(`[{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":"/a/b"}}]`, `"tool_use"`, ""),
			[]string{"CallOpened{Call:t1 Name:Edit Quiet:fast Edit:true Text:/a/b}", "Described{Model:opus}", "Wrote{}"}},
		"two calls and a word": {assistantRecord(`[{"type":"text","text":"look"},{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/a"}},{"type":"tool_use","id":"t2","name":"WebFetch","input":{"url":"http://x"}}]`, `"tool_use"`, ""),
			[]string{"CallOpened{Call:t1 Name:Read Quiet:fast Text:/a}", "CallOpened{Call:t2 Name:WebFetch Quiet:medium Text:http://x}", "Described{Model:opus}", "Wrote{}"}},
		"a question": {assistantRecord(`[{"type":"tool_use","id":"t1","name":"AskUserQuestion","input":{"questions":[{"question":"Which one?"},{"question":"Why?"}]}}]`, `"tool_use"`, ""),
			[]string{"CallOpened{Call:t1 Name:AskUserQuestion Quiet:answer Text:Which one?}", "Described{Model:opus}", "Wrote{}"}},
		"a plan": {assistantRecord(`[{"type":"tool_use","id":"t1","name":"ExitPlanMode","input":{"plan":"# Tidy up\n\n1. first"}}]`, `"tool_use"`, ""),
			[]string{"CallOpened{Call:t1 Name:ExitPlanMode Quiet:answer Text:Plan: Tidy up 1. first}", "Described{Model:opus}", "Wrote{}"}},
		"a tool nobody knows has no timer": {assistantRecord(`[{"type":"tool_use","id":"t1","name":"mcp__db__query","input":{"sql":"x"}}]`, `"tool_use"`, ""),
			[]string{"CallOpened{Call:t1 Name:mcp__db__query}", "Described{Model:opus}", "Wrote{}"}},
		"an input of another kind": {assistantRecord(`[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":7}},{"type":"tool_use","id":"t2","name":"AskUserQuestion","input":{"questions":"?"}}]`, `"tool_use"`, ""),
			[]string{"CallOpened{Call:t1 Name:Bash Quiet:slow}", "CallOpened{Call:t2 Name:AskUserQuestion Quiet:answer}", "Described{Model:opus}", "Wrote{}"}},
		"a result":    {userRecord(`[{"type":"tool_result","tool_use_id":"t1","content":"x"}]`, ""), []string{"CallClosed{Call:t1}", "Wrote{}"}},
		"two results": {userRecord(`[{"type":"tool_result","tool_use_id":"t1"},{"type":"tool_result","tool_use_id":"t2","is_error":true}]`, ""), []string{"CallClosed{Call:t1}", "CallClosed{Call:t2}", "Wrote{}"}},
		"a shell in the background (C15)": {userRecord(`[{"type":"tool_result","tool_use_id":"t1"}]`, `,"toolUseResult":{"backgroundTaskId":"b1","timedOutAfterMs":120000}`),
			[]string{"CallClosed{Call:t1}", "TaskRan{Task:b1}", "Wrote{}"}},
		"a result with a word": {userRecord(`[{"type":"tool_result","tool_use_id":"t1"},{"type":"text","text":"Fix it"}]`, `,"toolUseResult":"User rejected tool use"`),
			[]string{"CallClosed{Call:t1}", "Wrote{}"}},

		// what follows an end (recorded with 2.1.100)
		"a prompt in line":      {`{"type":"queue-operation","operation":"enqueue","content":"next",` + head + `}`, []string{"Queued{}"}},
		"it runs":               {`{"type":"queue-operation","operation":"dequeue",` + head + `}`, []string{"Queued{Ran:true}"}},
		"it joins the turn":     {`{"type":"queue-operation","operation":"remove",` + head + `}`, []string{"Queued{Dropped:true}"}},
		"it is taken back":      {`{"type":"queue-operation","operation":"popAll","content":"next",` + head + `}`, []string{"Queued{Dropped:true}"}},
		"a word nobody knows":   {`{"type":"queue-operation","operation":"peek",` + head + `}`, nil},
		"Stop hooks are done":   {`{"type":"system","subtype":"stop_hook_summary","hookCount":2,"hookErrors":[],` + head + `}`, []string{"Checked{}"}},
		"other hooks are done":  {`{"type":"system","subtype":"stop_hook_summary","hookLabel":"PreToolUse",` + head + `}`, nil},
		"a hook sends it back":  {userRecord(`"Stop hook feedback:\ngo on"`, `,"isMeta":true`), []string{"Checked{Back:true}", "Wrote{}"}},
		"a prompt that says so": {userRecord(`"Stop hook feedback:\ngo on"`, ""), []string{"Prompted{Human:true}", "Described{Prompt:Stop hook feedback:}", "Wrote{}"}},

		// ends
		"an answer":           {assistantRecord(`[{"type":"text","text":"Done."}]`, `"end_turn"`, ""), []string{"Replied{}", "Finished{}", "Described{Model:opus}", "Wrote{}"}},
		"a word in between":   {assistantRecord(`[{"type":"text","text":"Now"}]`, `"tool_use"`, ""), []string{"Replied{}", "Described{Model:opus}", "Wrote{}"}},
		"a word cut short":    {assistantRecord(`[{"type":"text","text":"Now"}]`, `null`, `,"isAbortedMidStream":true`), []string{"Replied{}", "Described{Model:opus}", "Wrote{}"}},
		"a thought":           {assistantRecord(`[{"type":"thinking","thinking":"hm"}]`, `null`, ""), []string{"Described{Model:opus}", "Wrote{}"}},
		"the end of a turn":   {`{"type":"system","subtype":"turn_duration","durationMs":690,` + head + `}`, []string{"Finished{}"}},
		"an agent runs (C14)": {`{"type":"system","subtype":"turn_duration","pendingBackgroundAgentCount":2,` + head + `}`, []string{"Finished{Running:2}"}},
		"Esc":                 {userRecord(`[{"type":"text","text":"[Request interrupted by user]"}]`, ""), []string{"Finished{Trouble:interrupted}", "Wrote{}", "Wrote{}"}},
		"Esc in a command":    {userRecord(`[{"type":"text","text":"[Request interrupted by user for tool use]"}]`, ""), []string{"Finished{Trouble:interrupted}", "Wrote{}", "Wrote{}"}},
		"Esc as a string":     {userRecord(`"[Request interrupted by user]"`, ""), []string{"Finished{Trouble:interrupted}", "Wrote{}"}},
		"no, and why": {userRecord(`[{"type":"tool_result","tool_use_id":"t1","is_error":true},{"type":"text","text":"[Request interrupted by user for tool use]"}]`, ""),
			[]string{"CallClosed{Call:t1}", "Finished{Trouble:interrupted}", "Wrote{}", "Wrote{}"}},

		// descriptions
		"a title":           {`{"type":"ai-title","aiTitle":"Fix\u0007 the\nlogin","sessionId":"x"}`, []string{"Described{Title:Fix the login}"}},
		"a title of yours":  {`{"type":"custom-title","customTitle":"Mine","sessionId":"x"}`, []string{"Described{Title:Mine}"}},
		"a permission mode": {`{"type":"permission-mode","permissionMode":"plan","sessionId":"x"}`, []string{"Described{Mode:plan}"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := transcript(mainLog, []byte(tc.line))
			if err != nil {
				t.Fatal(err)
			}
			clitest.Compare(t, got, tc.want...)
		})
	}
}

// TestTranscriptBookkeeping checks every kind of record that is no turn (C58).
func TestTranscriptBookkeeping(t *testing.T) {
	for _, kind := range strings.Fields("mode last-prompt atis-latch tools-used file-history-snapshot file-history-delta cost-state " +
		"queue-operation api-request api-request-shape api-request-blob agent-name attachment progress summary") {
		line := `{"type":"` + kind + `",` + head + `,"message":{"role":"user","content":"x"},"content":"x"}`
		if got, err := transcript(mainLog, []byte(line)); err != nil || len(got) > 0 {
			t.Errorf("%s: says %v, %v", kind, got, err)
		}
	}
}

// TestTranscriptTrouble checks every word for a turn that failed (API.md; C18).
func TestTranscriptTrouble(t *testing.T) {
	for word, want := range map[string]engine.Trouble{
		`"rate_limit"`: "rate_limit", `"overloaded"`: "overloaded", `"server_error"`: "overloaded",
		`"authentication_failed"`: "auth", `"oauth_org_not_allowed"`: "auth", `"account_on_hold"`: "auth", `"verification_required"`: "auth",
		`"cloud_credential_error"`: "auth", `"billing_error"`: "billing", `"invalid_request"`: "bad_request", `"model_not_found"`: "bad_request",
		`"max_output_tokens"`: "max_output", `"unknown"`: "api_error", `"something new"`: "api_error", `null`: "api_error", `{"type":"x"}`: "api_error", `529`: "api_error",
	} {
		line := assistantRecord(`[{"type":"text","text":"API Error"}]`, `"stop_sequence"`, `,"isApiErrorMessage":true,"apiErrorStatus":429,"error":`+word)
		got, err := transcript(mainLog, []byte(strings.Replace(line, `"opus"`, `"<synthetic>"`, 1)))
		if err != nil {
			t.Errorf("%s: %v", word, err)
		}
		clitest.Compare(t, got, "Replied{}", "Finished{Trouble:"+string(want)+"}", "Wrote{}")
	}
}

// TestTroubleByStatus checks what an error without a word of its own is called by the
// status in its text, in the transcript and by the hook (2.1.100).
func TestTroubleByStatus(t *testing.T) {
	for text, want := range map[string]engine.Trouble{
		`API Error: 529 {"type":"error"}`: "overloaded", "Please run /login · API Error: 401 {}": "auth", "API Error: 429 {}": "rate_limit",
		"API Error: 400 {}": "api_error", "API Error: 5290 {}": "api_error", "529 {}": "api_error", "": "api_error",
	} {
		quoted, _ := json.Marshal(text) // text of our own
		line := assistantRecord(`[{"type":"text","text":`+string(quoted)+`}]`, `"stop_sequence"`, `,"isApiErrorMessage":true,"error":"unknown"`)
		got, err := transcript(mainLog, []byte(strings.Replace(line, `"opus"`, `"<synthetic>"`, 1)))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		clitest.Compare(t, got, "Replied{}", "Finished{Trouble:"+string(want)+"}", "Wrote{}")
		told := hooked(t, `{"session_id":"`+id+`","hook_event_name":"StopFailure","error":"unknown","last_assistant_message":`+string(quoted)+`}`, attended)
		if f := told[0].Fact.(engine.Finished); f.Trouble != want {
			t.Errorf("hook: %s: %s, want %s", text, f.Trouble, want)
		}
	}
}

// TestTranscriptOfAgent checks that nothing a sub-agent does is taken for its leader's.
func TestTranscriptOfAgent(t *testing.T) {
	const agent = "Agent:a81afcc0b985b8584"
	side := `,"isSidechain":true,"agentId":"a81afcc0b985b8584"`
	for name, tc := range map[string]struct {
		line string
		want []string
	}{
		"its task":   {userRecord(`"touch x"`, side), []string{"AgentRan{" + agent + "}", "Wrote{" + agent + "}"}},
		"its call":   {assistantRecord(`[{"type":"tool_use","id":"x1","name":"Bash","input":{"command":"ls"}}]`, `"tool_use"`, side), []string{"CallOpened{Call:x1 Name:Bash Quiet:slow " + agent + " Text:ls}", "Wrote{" + agent + "}"}},
		"a result":   {userRecord(`[{"type":"tool_result","tool_use_id":"x1"}]`, side), []string{"CallClosed{Call:x1 " + agent + "}", "Wrote{" + agent + "}"}},
		"its answer": {assistantRecord(`[{"type":"text","text":"ok"}]`, `"end_turn"`, side), []string{"Replied{" + agent + "}", "Finished{" + agent + "}", "Wrote{" + agent + "}"}},
		"Esc":        {userRecord(`"[Request interrupted by user]"`, side), []string{"Finished{Trouble:interrupted " + agent + "}", "Wrote{" + agent + "}"}},
	} {
		for where, log := range map[string]string{"": agentLog, " in the main file": mainLog} { // as older versions have it
			t.Run(name+where, func(t *testing.T) {
				got, err := transcript(log, []byte(tc.line))
				if err != nil {
					t.Fatal(err)
				}
				clitest.Compare(t, got, tc.want...)
				for _, ev := range got {
					if ev.Who != (engine.Who{Tool: "claude", ID: id}) {
						t.Errorf("it is of %+v", ev.Who)
					}
				}
			})
		}
	}
	for _, line := range []string{userRecord(`"x"`, `,"isSidechain":true`), assistantRecord(`[{"type":"text","text":"x"}]`, `"end_turn"`, `,"isSidechain":true`)} {
		if got, err := transcript(mainLog, []byte(line)); err != nil || len(got) > 0 {
			t.Errorf("of an agent without a name: says %v, %v", got, err)
		}
	}
}

func TestTranscriptWho(t *testing.T) {
	got, err := transcript(mainLog, []byte(userRecord(`"x"`, human)))
	if err != nil || len(got) == 0 {
		t.Fatal(got, err)
	}
	want := engine.Who{Tool: "claude", ID: id, Dir: "/home/dev/proj"}
	for _, ev := range got {
		if ev.Who != want || ev.By != engine.Transcript || !ev.At.Equal(time.Date(2026, 11, 30, 7, 50, 15, 77e6, time.UTC)) {
			t.Errorf("it is of %+v by %v at %v", ev.Who, ev.By, ev.At)
		}
	}
}

// TestTranscriptBad checks that what cannot be read says nothing: an error at most.
func TestTranscriptBad(t *testing.T) {
	for _, line := range []string{
		"", "x", "null", "{", `{"type":"user"`, "\x00\x00" + userRecord(`"x"`, human), "\xff\xfe{}", `{"type":7}`, `{"type":["user"]}`,
		`{"type":"user","timestamp":7,"message":{"content":"x"}}`, `{"type":"user","isMeta":"yes","message":{"content":"x"}}`,
		`{"type":"user"}`, `{"type":"user","message":"x"}`, `{"type":"user","message":{"content":7}}`, `{"type":"user","message":{"content":[7]}}`,
		`{"type":"assistant"}`, `{"type":"assistant","message":"x"}`, `{"type":"assistant","message":[]}`,
		`{"type":"system"}`, `{"type":"system","subtype":"turn_duration","pendingBackgroundAgentCount":"many"}`,
	} {
		if got, _ := transcript(mainLog, []byte(line)); len(got) > 0 {
			t.Errorf("%.80q says %v", line, got)
		}
	}
}

// TestTranscriptNames checks that names which other people choose (MCP servers, agents)
// are lines like any other text.
func TestTranscriptNames(t *testing.T) {
	name := `mcp__a\nb__` + strings.Repeat("x", 1000)
	line := assistantRecord(`[{"type":"tool_use","id":"t1","name":"`+name+`","input":{}}]`, `"tool_use"`, "")
	got, err := transcript(mainLog, []byte(strings.Replace(line, `"opus"`, `"`+name+`"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	clitest.Sound(t, tool, got)
	got, err = transcript(mainLog, []byte(`{"type":"permission-mode","permissionMode":"`+name+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	clitest.Sound(t, tool, got)
}

// TestTranscriptNamelessCall checks that a call without an id, which nothing could
// ever close, is none.
func TestTranscriptNamelessCall(t *testing.T) {
	for _, call := range []string{`{"type":"tool_use","name":"Bash"}`, `{"type":"tool_use","id":7,"name":"Bash"}`, `{"type":"tool_use","id":"","name":"Bash"}`} {
		got, err := transcript(mainLog, []byte(assistantRecord(`[`+call+`]`, `"tool_use"`, "")))
		if err != nil {
			t.Error(err)
		}
		for _, ev := range got {
			if c, is := ev.Fact.(engine.CallOpened); is {
				t.Errorf("%s opens %+v", call, c)
			}
		}
	}
	got, err := transcript(mainLog, []byte(userRecord(`[{"type":"tool_result"}]`, "")))
	if err != nil {
		t.Error(err)
	}
	for _, ev := range got {
		if c, is := ev.Fact.(engine.CallClosed); is {
			t.Errorf("a result of nothing closes %+v", c)
		}
	}
}

// TestTranscriptHuge checks that of long texts no more is kept than is shown.
func TestTranscriptHuge(t *testing.T) {
	long := strings.Repeat("long ", 200_000)
	got, err := transcript(mainLog, []byte(userRecord(`"`+long+`"`, human)))
	if err != nil {
		t.Fatal(err)
	}
	if n := len([]rune(got[1].Fact.(engine.Described).Prompt)); n > 60 {
		t.Errorf("a prompt of %d characters is kept", n)
	}
	got, err = transcript(mainLog, []byte(assistantRecord(fmt.Sprintf(`[{"type":"tool_use","id":"t","name":"Bash","input":{"command":%q}}]`, long), `"tool_use"`, "")))
	if err != nil {
		t.Fatal(err)
	}
	if n := len([]rune(got[0].Fact.(engine.CallOpened).Text)); n > sources.Longest {
		t.Errorf("%d characters of a call are kept", n)
	}
}
