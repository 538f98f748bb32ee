package cursor

import (
	"fmt"
	"strings"
	"testing"

	"deskbell/engine"
	"deskbell/sources"
)

func TestRuns(t *testing.T) {
	const place = "/home/dev/.local/share/cursor-agent/versions/2026.10.01-e373342/"
	for _, tt := range []struct {
		line, exe string
		is, loose bool
		id, dir   string
	}{
		{"/home/dev/.local/bin/cursor-agent --use-system-ca " + place + "index.js", place + "node", true, false, "", "/w"},
		{"/home/dev/.local/bin/agent --use-system-ca " + place + "index.js --workspace /w/x", place + "node", true, false, "", "/w/x"},
		{"node " + place + "index.js --resume " + id, place + "node", true, false, id, "/w"},
		{"cursor-agent --resume=" + id + " --workspace=/w/y", "", true, false, id, "/w/y"},
		{"cursor-agent --resume my-chat", "", true, false, "", "/w"},
		{"cursor-agent ls", "", true, false, "", "/w"},
		{"agent", place + "node", true, false, "", "/w"},
		{"/home/dev/.local/bin/agent --use-system-ca " + place + "index.js -p hello", place + "node", true, true, "", "/w"},
		{"cursor-agent --print --output-format=json hello", "", true, true, "", "/w"},
		{"cursor-agent login", "", true, true, "", "/w"},
		{"cursor-agent hello -- -p", "", true, false, "", "/w"},
		{"agent", "/usr/bin/agent", false, false, "", ""}, // of somebody else
		{"ssh-agent -s", "", false, false, "", ""},
		{"cursor .", "/usr/share/cursor/cursor", false, false, "", ""}, // the editor
		{"node server.js cursor-agent", "/usr/bin/node", false, false, "", ""},
		{"vim " + place + "index.js", "", false, false, "", ""},
	} {
		p := sources.Proc{PID: 7, TTY: "/dev/pts/1", Dir: "/w", Exe: tt.exe, Args: strings.Fields(tt.line)}
		w, is := runs(p)
		if is != tt.is || w.Loose != tt.loose || w.ID != tt.id || w.Dir != tt.dir {
			t.Errorf("%s: got %v %+v", tt.line, is, w)
		}
		p.TTY = ""
		if w, is := runs(p); is && !w.Loose {
			t.Errorf("%s without a terminal: got %+v", tt.line, w)
		}
	}
}

// word is a fact in one word.
func word(f engine.Fact) string {
	switch f := f.(type) {
	case engine.Finished:
		return fmt.Sprint("finished:", f.Trouble, f.Agent)
	case engine.CallOpened:
		return fmt.Sprint("opened:", f.Name, ":", f.Mute)
	case engine.Prompted:
		return fmt.Sprint("prompted:", f.Human)
	case engine.Described:
		return ""
	case engine.Wrote:
		return f.Agent
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", f), "engine."))
}

func words(events []engine.Event) (out []string) {
	for _, ev := range events {
		if w := word(ev.Fact); w != "" {
			out = append(out, w)
		}
	}
	return out
}

func TestTranscript(t *testing.T) {
	user := `{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nhi\n</user_query>"}]}}`
	says := `{"role":"assistant","message":{"content":[{"type":"text","text":"x"}]}}`
	runs := `{"role":"assistant","message":{"content":[{"type":"text","text":"x"},{"type":"tool_use","name":"Shell","input":{"command":"ls"}}]}}`
	result := `{"role":"user","message":{"content":[{"type":"tool_result","text":"x"}]}}`
	ends := func(status string) string { return `{"type":"turn_ended","status":"` + status + `"}` }
	for _, tt := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"a turn", []string{user, says, ends("success")}, "prompted:true replied finished:"},
		{"an older one", []string{`{"role":"user","message":{"content":"hi"}}`, says}, "prompted:true replied"},
		{"a call", []string{user, runs, says}, "prompted:true opened:Shell:true callclosed replied"},
		{"a call and its result", []string{user, runs, result, says}, "prompted:true opened:Shell:true callclosed replied"},
		{"a call that never ends", []string{user, runs, ends("aborted")}, "prompted:true opened:Shell:true callclosed finished:interrupted"},
		{"an error", []string{user, ends("error")}, "prompted:true finished:api_error"},
		{"a question", []string{`{"role":"assistant","message":{"content":[{"type":"tool_use","name":"AskQuestion"}]}}`}, "opened:AskQuestion:false"},
		{"a machine's word", []string{`{"role":"user","message":{"content":"<system_reminder>x"}}`}, "prompted:false"},
	} {
		translate := transcript(folder+id+".jsonl", nil)
		var out []string
		for _, line := range tt.lines {
			got, err := translate([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			for _, ev := range got {
				if ev.Who.ID != id || !ev.Who.Shy || !ev.At.IsZero() {
					t.Errorf("%s: %+v", tt.name, ev)
				}
			}
			out = append(out, words(got)...)
		}
		if got := strings.Join(out, " "); got != tt.want {
			t.Errorf("%s: got %s\nwant %s", tt.name, got, tt.want)
		}
	}
	if transcript(folder+"other.jsonl", nil) != nil || transcript("projects/x/agent-transcripts/x/x.jsonl", nil) != nil {
		t.Error("a transcript of nobody is read")
	}
	got, _ := agent(folder+"subagents/helper.jsonl", nil)([]byte(says))
	if len(got) != 1 || got[0].Fact != (engine.Wrote{Agent: "helper"}) || got[0].Who.ID != id {
		t.Errorf("got %+v", got)
	}
	if got := trusted([]byte(`{"trustedAt":"x","workspacePath":"/home/dev/proj"}`)); got != "/home/dev/proj" || trusted([]byte("x")) != "" {
		t.Errorf("got %q", got)
	}
}

func TestHooks(t *testing.T) {
	for _, tt := range []struct {
		event, more, tty, want string
		loose                  bool
	}{
		{"sessionStart", "", "/dev/pts/1", "started", false},
		{"beforeSubmitPrompt", `,"prompt":"hi"`, "/dev/pts/1", "prompted:true", false},
		{"beforeShellExecution", `,"command":"ls"`, "/dev/pts/1", "lived", false},
		{"stop", `,"status":"completed"`, "/dev/pts/1", "finished:", false},
		{"stop", `,"status":"aborted"`, "/dev/pts/1", "finished:interrupted", false},
		{"stop", `,"status":"error"`, "/dev/pts/1", "finished:api_error", false},
		{"subagentStart", `,"subagent_id":"a"`, "/dev/pts/1", "agentran", false},
		{"subagentStop", `,"subagent_id":"a"`, "/dev/pts/1", "finished:a", false},
		{"neverHeardOf", "", "/dev/pts/1", "lived", false},
		{"beforeSubmitPrompt", "", "", "prompted:true", true}, // of the editor
		{"stop", `,"is_background_agent":true`, "/dev/pts/1", "finished:", true},
	} {
		payload := `{"conversation_id":"` + id + `","workspace_roots":["/w"],"hook_event_name":"` + tt.event + `"` + tt.more + `}`
		got, err := hook(sources.Hook{Event: tt.event, Payload: []byte(payload), PID: 7, TTY: tt.tty})
		if err != nil {
			t.Fatal(err)
		}
		if w := strings.Join(words(got), " "); w != tt.want || got[0].Who.Loose != tt.loose || got[0].Who.ID != id {
			t.Errorf("%s%s: got %s of %+v", tt.event, tt.more, w, got[0].Who)
		}
	}
}
