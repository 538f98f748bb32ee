package opencode

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/clitest"
)

func plugged(t *testing.T, event, fields string) []engine.Event {
	t.Helper()
	got, err := hook(sources.Hook{
		Payload: []byte(fmt.Sprintf(`{"hook_event_name":%q,"sessionID":%q,"directory":"/w/app"%s}`, event, id, fields)), At: began, PID: 41, Ticks: 7, TTY: "/dev/pts/1",
	})
	if err != nil {
		t.Errorf("%s: %v", event, err)
	}
	return got
}

// TestHooks checks, event by event, what is told of a session and what of its sub-agent.
func TestHooks(t *testing.T) {
	for _, c := range []struct{ event, fields, ofSession, ofAgent string }{
		{"session.created", ``, "Started{}", "AgentRan{%s}"},
		{"session.status", `,"status":"busy"`, "Lived{}", "AgentRan{%s}"},
		{"session.status", `,"status":"summed"`, "Lived{}", "AgentRan{%s}"},
		{"compacting", ``, "Compacting{}", ""},
		{"session.status", `,"status":"idle"`, "Finished{Uncounted:true}", "Finished{%s Uncounted:true}"},
		{"session.error", `,"error":{"name":"MessageAbortedError"}`, "Finished{Trouble:interrupted Uncounted:true}", "Finished{Trouble:interrupted %s Uncounted:true}"},
		{"session.error", `,"error":{"name":"APIError","data":{"statusCode":529}}`, "Finished{Trouble:overloaded Uncounted:true}", "Finished{Trouble:overloaded %s Uncounted:true}"},
		{"session.error", `,"error":{}`, "Finished{Trouble:api_error Uncounted:true}", "Finished{Trouble:api_error %s Uncounted:true}"},
		{"session.compacted", ``, "Compacting{Done:true}", ""},
		{"prompt", `,"queued":false`, "Started{}\nPrompted{Human:true}", "AgentRan{%s}"},
		{"prompt", `,"queued":true`, "Queued{}", "AgentRan{%s}"},
		{"tool", `,"callID":"c1","tool":"bash","status":"running","input":{"command":"ls"}`,
			"CallOpened{Call:c1 Name:bash Text:ls}", "CallOpened{Call:c1 Name:bash %s Text:ls}"},
		{"tool", `,"callID":"c1","tool":"bash","status":"error"`, "CallClosed{Call:c1}", "CallClosed{Call:c1 %s}"},
		{"tool", ``, "", ""},
		{"permission.asked", `,"id":"per_1","callID":"c1","permission":"bash","patterns":["ls"]`, "Asked{Name:bash Text:ls}", "Asked{Name:bash %s Text:ls}"},
		{"permission.replied", `,"id":"per_1","callID":"c1","reply":"always"`, "Answered{}", "Answered{%s}"},
		{"permission.replied", `,"id":"per_1","callID":"c1","reply":"reject"`, "Answered{}\nFinished{Trouble:interrupted Uncounted:true}", "Answered{%s}\nFinished{Trouble:interrupted %s Uncounted:true}"},
		{"question.asked", `,"id":"que_1","questions":[{"question":"Which?"}]`, "Asked{Name:question Question:true Text:Which?}", "Asked{Name:question %s Question:true Text:Which?}"},
		{"question.rejected", `,"id":"que_1"`, "Answered{}", "Answered{%s}"},
		{"something.new", ``, "Lived{}", "Lived{}"},
	} {
		split := func(text, agent string) []string {
			if text == "" {
				return nil
			}
			return strings.Split(strings.ReplaceAll(text, "%s", agent), "\n")
		}
		clitest.Compare(t, plugged(t, c.event, c.fields), split(c.ofSession, "")...)
		got := plugged(t, c.event, c.fields+`,"agentID":"`+child+`"`)
		clitest.Compare(t, got, split(c.ofAgent, "Agent:"+child)...)
		for _, ev := range got {
			if ev.Who.ID != id || ev.Who.Dir != "" {
				t.Errorf("%s of a sub-agent is of %+v", c.event, ev.Who)
			}
		}
	}
	who := engine.Who{Tool: tool, ID: id, PID: 41, Ticks: 7, TTY: "/dev/pts/1", Dir: "/w/app"}
	if got := plugged(t, "session.created", ""); got[0].Who != who {
		t.Errorf("got %+v, want %+v", got[0].Who, who)
	}
}

// TestDialogKeys checks that a dialog is told by its call, by whoever tells of it, and by
// its own id where it is about none.
func TestDialogKeys(t *testing.T) {
	asked := plugged(t, "permission.asked", `,"id":"per_1","callID":"c1"`)[0].Fact.(engine.Asked)
	call := plugged(t, "tool", `,"callID":"c1","status":"running"`)[0].Fact.(engine.CallOpened)
	row, err := part(rowOf(sources.Row{"role": assistant, "data": `{"type":"tool","tool":"bash","callID":"c1","state":{"status":"running"}}`}))
	if err != nil {
		t.Fatal(err)
	}
	answered := plugged(t, "permission.replied", `,"id":"per_1","callID":"c1"`)[0].Fact.(engine.Answered)
	if keys := []string{asked.Key, call.Key, row[0].Fact.(engine.CallOpened).Key, answered.Key}; fmt.Sprint(keys) != "[c1 c1 c1 c1]" {
		t.Errorf("keys are %v", keys)
	}
	alone := plugged(t, "question.asked", `,"id":"que_1"`)[0].Fact.(engine.Asked)
	if over := plugged(t, "question.replied", `,"id":"que_1"`)[0].Fact.(engine.Answered); alone.Key != "que_1" || over.Key != alone.Key {
		t.Errorf("keys are %q and %q", alone.Key, over.Key)
	}
}

// TestHookTimes checks that an event is of the time that the plugin tells, unless that
// cannot be.
func TestHookTimes(t *testing.T) {
	for ms, want := range map[int64]time.Time{
		began.Add(-300 * time.Millisecond).UnixMilli(): began.Add(-300 * time.Millisecond),
		began.Add(time.Second).UnixMilli():             began,
		began.Add(-time.Hour).UnixMilli():              began,
		0:                                              began,
	} {
		if got := plugged(t, "session.created", fmt.Sprint(`,"time":`, ms)); !got[0].At.Equal(want) {
			t.Errorf("%d: at %v, want %v", ms, got[0].At, want)
		}
	}
}

// TestForeignPayloads checks that what is no session of OpenCode's is nobody's.
func TestForeignPayloads(t *testing.T) {
	for _, payload := range []string{`{}`, `{"sessionID":"*"}`, `{"sessionID":"ses_/../x"}`, `{"sessionID":"` + id + `","agentID":"../x"}`, `[]`, `{"sessionID":7}`, `null`, `{`} {
		if got, err := hook(sources.Hook{Event: "session.created", Payload: []byte(payload), At: began}); len(got) > 0 {
			t.Errorf("%s: says %v, %v", payload, got, err)
		}
	}
}
