package cli

import (
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

const whyApproval = `{"session": {"id":"s7","tool":"claude","session_id":"3f0c9a11","title":"app: Tests","project":"app","dir":"","began_in":"",
 "status":"approval","since":"2026-11-30T11:59:48Z","needs_you":true,
 "reason":{"rule":"dialog.permission","weight":"reported","by":"hook","since":"2026-11-30T11:59:48Z","why":"the CLI reports a permission prompt"},
 "against":[{"rule":"call.open","weight":"observed","by":"hook","since":"2026-11-30T11:59:47Z","why":"a tool call is open"}]},
 "silent":[{"rule":"call.silent","weight":"inferred","says":"approval","would_speak":"2026-11-30T12:00:03.5Z","why":"a tool call has been silent too long"}],
 "matched":"its process (pid 4711, since 09:12)","missing":[],
 "notice":{"state":"raised","why":"still open","at":"2026-11-30T11:59:49Z"}}`

const whyGuess = `{"session": {"id":"s8","tool":"gemini","title":"","project":"web","status":"approval","guess":true,"since":"2026-11-30T11:56:00Z",
 "agents":[{"id":"a2","type":"Explore","task":"Find the \u001b[31mtests","status":"running","tools":12,"since":"2026-11-30T11:57:00Z"},
  {"id":"b14","status":"done","tools":1,"since":"2026-11-30T11:59:01Z"}],
 "reason":{"rule":"call.silent","weight":"inferred","by":"hook","since":"2026-11-30T11:56:00Z","why":"a tool call has been silent too long"}},
 "silent":[{"rule":"x","weight":"certain","says":"ended","would_speak":"2026-11-30T12:30:00Z","why":"nobody has seen its process"}],
 "matched":"","missing":[{"witness":"hook","how":"deskbell hooks install --tool gemini"},{"witness":"listing","how":""}],
 "sleep":[{"veto":"pinned","why":"you pinned it"}]}`

func TestWhy(t *testing.T) {
	list := []engine.Session{{ID: "s7", Project: "app", Status: engine.Approval}, {ID: "s8", Project: "web", Status: engine.Approval}}
	d := &daemon{}
	d.says("/sessions/live", asJSON(t, engine.Snapshot{Sessions: list}))
	d.says("/sessions/s7/why", whyApproval)
	d.says("/sessions/s8/why", whyGuess)
	d.start()
	defer d.kill()
	narrow := &screen{terminal: true, width: 60, height: 24}
	golden(t, "why", call(d, nil, "why", "app").out)
	golden(t, "why_guess", call(d, nil, "why", "s8").out)
	golden(t, "why_60", call(d, narrow, "why", "app").out)
	golden(t, "why_colour", call(d, &screen{terminal: true, width: 120, height: 24, colour: true}, "why", "app").out)
	for _, line := range strings.Split(call(d, narrow, "why", "app").out, "\n") {
		if width(line) > 60 {
			t.Errorf("a line wraps: %q", line)
		}
	}
	if got := call(d, nil, "why", "--json", "app").out; got != whyApproval+"\n" {
		t.Errorf("got %s, want it as it came", got)
	}
	golden(t, "why_agents", call(d, nil, "why", "--agents", "s8").out+call(d, nil, "why", "--agents", "s7").out)
	if got := call(d, nil, "why", "--agents", "--json", "s7").out; got != "[]\n" {
		t.Errorf("got %s, want an empty list", got)
	}
	if got := call(d, nil, "why", "nothing"); got.code != failed || got.err != "deskbell: no session matches \"nothing\": see `deskbell status --all`\n" {
		t.Errorf("got %+v", got)
	}
}

const whyGone = `{"session":{"id":"s5","tool":"claude","session_id":"9b1e77","title":"","project":"old","status":"ended","since":"2026-11-30T11:00:00Z",
 "reason":{"rule":"life.exited","weight":"certain","by":"process","since":"2026-11-30T11:00:00Z","why":"its process is gone"}},
 "silent":[],"matched":"nothing any more: this is from the journal","missing":[],
 "history":[{"at":"2026-11-29T23:59:00Z","event":"status","id":"s5","from":"working","to":"waiting","rule":"turn.failed","why":"the CLI reported an error","trouble":"rate_limit"},
  {"at":"2026-11-30T10:59:00Z","event":"notice","id":"s5","state":"raised","kind":"approval","why":"still open"},
  {"at":"2026-11-30T11:00:00Z","event":"status","id":"s5","to":"ended","rule":"life.exited","why":"its process is gone"},
  {"at":"2026-11-30T11:30:00Z","event":"gone","id":"s5"},{"at":"2026-11-30T11:31:00Z","event":"danced\u001b[31m","id":"s5"}]}`

// TestWhyGone checks that why also knows what is known no longer, by id and by the
// beginning of the tool's, and says of what nobody knows what it said before.
func TestWhyGone(t *testing.T) {
	d := &daemon{}
	d.says("/sessions/live", asJSON(t, engine.Snapshot{}))
	d.says("/sessions/s5/why", whyGone)
	d.says("/sessions/9b1/why", whyGone)
	d.start()
	defer d.kill()
	golden(t, "why_gone", call(d, nil, "why", "s5").out)
	if a, b := call(d, nil, "why", "s5"), call(d, nil, "why", "9b1"); a != b || a.code != 0 {
		t.Errorf("got %+v and %+v", a, b)
	}
	if got := call(d, nil, "why", "s6"); got.code != failed || got.err != "deskbell: no session matches \"s6\": see `deskbell status --all`\n" {
		t.Errorf("got %+v", got)
	}
}

func TestRulebook(t *testing.T) {
	l := engine.DefaultLimits()
	l[engine.Slow], l[engine.Flicker], l[engine.Rest] = 90*time.Second, 120*time.Millisecond, 5*time.Minute
	got := rulebook([]engine.Rule{
		{Name: "turn.finished", Weight: engine.Reported, Says: engine.Waiting, For: engine.Rest, Why: "the CLI reported the end of its turn"},
		{Name: "call.silent", Weight: engine.Inferred, Says: engine.Approval, After: engine.Slow, For: engine.Flicker, Why: "a tool call has been silent too long"},
	}, l)
	golden(t, "rules", strings.Join(got, "\n")+"\n")
}
