package claude

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"
	"testing"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/clitest"
)

// TestHookOfAgent checks, hook by hook, that what a sub-agent does is told of it and not
// of its leader (C13, C29). Its agent_id tells, and nothing else: the transcript that a
// hook names is mostly the leader's (C12).
func TestHookOfAgent(t *testing.T) {
	for _, c := range []struct{ hook, ofAgent, ofLeader string }{
		{`"UserPromptSubmit","prompt":"go on"`, "AgentRan{%s}", "Prompted{Human:true}\nDescribed{Prompt:go on}"},
		{`"SessionStart","source":"startup"`, "AgentRan{%s}", "Started{}\nDescribed{}"},
		{`"SessionStart","source":"compact"`, "AgentRan{%s}", "Compacting{Done:true}"},
		{`"PreCompact","trigger":"auto"`, "AgentRan{%s}", "Compacting{}"},
		{`"PostCompact"`, "AgentRan{%s}", "Compacting{Done:true}"},
		{`"SessionEnd","reason":"other"`, "", "Closed{}"},
		{`"PreToolUse","tool_name":"Bash","tool_use_id":"t1"`, "CallOpened{Call:t1 Name:Bash Quiet:slow %s}", "CallOpened{Call:t1 Name:Bash Quiet:slow}"},
		{`"PostToolUse","tool_use_id":"t1"`, "CallClosed{Call:t1 %s}", "CallClosed{Call:t1}"},
		{`"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"}`, "Asked{Name:Bash %s Text:ls}", "Asked{Name:Bash Text:ls}"},
		{`"Stop","background_tasks":[]`, "Finished{%s}", "Finished{}"},
		{`"StopFailure","error":"rate_limit","background_tasks":[]`, "Finished{Trouble:rate_limit %s}", "Finished{Trouble:rate_limit}"},
		{`"SubagentStart"`, "AgentRan{%s}", "Lived{}"},
		{`"SubagentStop"`, "Finished{%s}", "Lived{}"},
		{`"SomethingNew"`, "", "Lived{}"},
	} {
		for _, file := range []string{id + ".jsonl", id + "/subagents/agent-a1.jsonl"} {
			rest := `"session_id":"` + id + `","cwd":"/w","transcript_path":"/home/dev/.claude/projects/-w/` + file + `","hook_event_name":` + c.hook + `}`
			clitest.Compare(t, hooked(t, `{"agent_id":"a1","permission_mode":"plan",`+rest, attended), lines(c.ofAgent, "Agent:a1")...)
			clitest.Compare(t, hooked(t, `{`+rest, attended), lines(c.ofLeader, "")...)
		}
	}
	// The folder it works in is not its leader's: it may have a worktree of its own.
	got := hooked(t, `{"agent_id":"a1","session_id":"`+id+`","cwd":"/w/tree","hook_event_name":"PreToolUse","tool_use_id":"t1"}`, attended)
	if len(got) != 1 || got[0].Who.Dir != "" {
		t.Errorf("a sub-agent's call: says %+v", got)
	}
}

// lines are the facts of a row, with the agent they are of.
func lines(text, agent string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(text, "%s", agent), "\n")
}

// TestWordsDecideNothing checks that no status is read out of what somebody wrote (C20,
// C21): not out of a prompt, however much it looks like a dialog, an interruption or a
// notification, and not out of an answer, a result or a banner.
func TestWordsDecideNothing(t *testing.T) {
	dialog := `Do you want to proceed?\n❯ 1. Yes\n  2. No, and tell Claude what to do differently (esc)`
	for _, text := range []string{
		dialog, "[Request interrupted by user] is what I saw", "[Request interrupted by user for tool use]", "<task-notification>what is that?",
		"<command-name>is a tag", "<bash-input>ls</bash-input>", "<local-command-stdout>", "Claude needs your permission to use Bash", "1 subagent still running", "esc to interrupt",
	} {
		got, err := transcript(mainLog, []byte(userRecord(`"`+text+`"`, human)))
		if err != nil {
			t.Fatal(err)
		}
		prompted(t, text, got, "Prompted", "Described", "Wrote")
		got, err = transcript(mainLog, []byte(userRecord(`[{"type":"text","text":"`+text+`"}]`, human)))
		if err != nil {
			t.Fatal(err)
		}
		prompted(t, text, got, "Prompted", "Described", "Wrote", "Wrote")
		got, err = transcript(mainLog, []byte(assistantRecord(`[{"type":"text","text":"`+text+`"}]`, `"end_turn"`, "")))
		if err != nil {
			t.Fatal(err)
		}
		clitest.Compare(t, got, "Replied{}", "Finished{}", "Described{Model:opus}", "Wrote{}")
		got, err = transcript(mainLog, []byte(userRecord(`[{"type":"tool_result","tool_use_id":"t1","content":"`+text+`"}]`, `,"toolUseResult":"`+text+`"`)))
		if err != nil {
			t.Fatal(err)
		}
		clitest.Compare(t, got, "CallClosed{Call:t1}", "Wrote{}")
		for _, kind := range []string{`"system","subtype":"informational"`, `"summary"`, `"progress"`} {
			got, err = transcript(mainLog, []byte(`{"type":`+kind+`,`+head+`,"content":"`+text+`","summary":"`+text+`"}`))
			if err != nil || len(got) > 0 {
				t.Errorf("%s with %q says %v, %v", kind, text, got, err)
			}
		}
		// What a hook says of a notice in words is for you; its kind tells what it is.
		clitest.Compare(t, hooked(t, `{"session_id":"`+id+`","hook_event_name":"Notification","notification_type":"idle_prompt","message":"`+text+`"}`, attended), "Lived{}")
		if strings.HasPrefix(text, notification) {
			continue // a hook does not tell who wrote it
		}
		prompted(t, text, hooked(t, `{"session_id":"`+id+`","hook_event_name":"UserPromptSubmit","prompt":"`+text+`"}`, attended), "Prompted", "Described")
	}
}

// prompted checks the kinds of the facts that a human's prompt is told by.
func prompted(t *testing.T, text string, got []engine.Event, want ...string) {
	t.Helper()
	var kinds []string
	for _, ev := range got {
		kinds = append(kinds, kind(ev.Fact))
	}
	if strings.Join(kinds, " ") != strings.Join(want, " ") || !got[0].Fact.(engine.Prompted).Human {
		t.Errorf("%q: got %v, want %v of a human", text, kinds, want)
	}
}

// TestNotices checks that the kinds of notification are kept apart: one that says that it
// is your turn asks for nothing (C28), and the prompt that has a hook of its own is only
// reminded of (C22, C30).
func TestNotices(t *testing.T) {
	for _, c := range []struct{ kind, want string }{
		{"idle_prompt", "Lived{}"}, {"auth_success", "Lived{}"}, {"elicitation_complete", "Lived{}"}, {"elicitation_response", "Lived{}"}, {"something new", "Lived{}"}, {"", "Lived{}"},
		{"permission_prompt", "Asked{Late:true}"},
		{"worker_permission_prompt", "Asked{Brief:true}"},
		{"agent_needs_input", "Asked{Question:true Brief:true}"},
		{"elicitation_dialog", "Asked{Name:elicitation Question:true Brief:true}"},
	} {
		clitest.Compare(t, hooked(t, `{"session_id":"`+id+`","hook_event_name":"Notification","notification_type":"`+c.kind+`","message":"Claude is waiting for your input"}`, attended), c.want)
	}
}

// TestListedWords checks that a word of the session file that nobody knows moves nothing,
// above all those that the listing command has for jobs: blocked is not a prompt (C55),
// and none of them says that it runs (C53).
func TestListedWords(t *testing.T) {
	for _, word := range []string{"blocked", "stopped", "done", "failed", "working", "BUSY", "waiting for you"} {
		got, err := session(sessionOf(`{` + uid + `,"kind":"bg","status":"` + word + `","waitingFor":"permission prompt"}`))
		if err != nil || len(got) > 0 {
			t.Errorf("%s: says %v, %v", word, got, err)
		}
	}
}

// TestFolders checks that a session is found in whatever folder its CLI has for it (C67,
// C68): the folder's name, in which each character but letters and digits is a dash, is
// neither built nor read; the records name the folder it works in.
func TestFolders(t *testing.T) {
	odd := regexp.MustCompile(`[^A-Za-z0-9]`)
	for _, cwd := range []string{
		"/home/dev/my_app", "/home/dev/a b", "/home/dev/site.com", "/home/dev/a:b", "/home/dev/日本語", "/home/dev/äöü", "/home/dev/a-b", "/home/dev/a/b", `D:\A B\C`,
		"/home/dev/[x]*?", "/", "/home/dev/.claude/worktrees/x",
	} {
		folder := odd.ReplaceAllString(cwd, "-")
		for _, file := range []string{id + ".jsonl", id + "/subagents/agent-a1.jsonl", id + "/subagents/agent-a1.meta.json"} {
			rel := "projects/" + folder + "/" + file
			found := 0
			for _, tree := range CLI.Files {
				if fits(t, tree.Glob, rel) {
					found++
				}
				if tree.Find == nil {
					continue
				}
				for _, glob := range tree.Find(engine.Who{ID: id, Dir: "/somewhere/else"}) {
					if fits(t, glob, rel) {
						found++
					}
				}
			}
			if found != 2 {
				t.Errorf("%s is found %d times, want once among all and once when asked for", rel, found)
			}
		}
		text, _ := json.Marshal(cwd)
		got, err := transcript("projects/"+folder+"/"+id+".jsonl", []byte(`{"type":"user","cwd":`+string(text)+`,"message":{"content":"x"}}`))
		if err != nil || len(got) == 0 || got[0].Who.Dir != cwd || got[0].Who.ID != id {
			t.Errorf("%s: says %+v, %v", cwd, got, err)
		}
	}
}

func fits(t *testing.T, glob, rel string) bool {
	t.Helper()
	ok, err := path.Match(glob, rel)
	if err != nil {
		t.Errorf("%s: %v", glob, err)
	}
	return ok
}

// TestUnattended checks that the runs of programs are nobody's (C51), whichever SDK they
// are of and whatever folder they work in.
func TestUnattended(t *testing.T) {
	for _, entry := range []string{"sdk-cli", "sdk-ts", "sdk-py", "sdk"} {
		if got, err := session(sessionOf(`{` + uid + `,"entrypoint":"` + entry + `","status":"waiting","waitingFor":"permission prompt"}`)); err != nil || len(got) > 0 {
			t.Errorf("%s: its session file says %v, %v", entry, got, err)
		}
		for _, line := range []string{userRecord(`"watch it"`, human), assistantRecord(`[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]`, `"tool_use"`, "")} {
			if got, err := transcript(mainLog, []byte(strings.Replace(line, `"cli"`, `"`+entry+`"`, 1))); err != nil || len(got) > 0 {
				t.Errorf("%s: its transcript says %v, %v", entry, got, err)
			}
		}
		if got := hooked(t, `{"session_id":"`+id+`","hook_event_name":"PermissionRequest","tool_name":"Bash"}`, map[string]string{"CLAUDE_CODE_ENTRYPOINT": entry}); len(got) > 0 {
			t.Errorf("%s: its hook says %v", entry, got)
		}
		if w, is := runs(sources.Proc{PID: 41, Args: []string{"claude"}, Env: map[string]string{"CLAUDE_CODE_ENTRYPOINT": entry}}); !is || !w.Loose {
			t.Errorf("%s: without a terminal it is %+v", entry, w)
		}
	}
}
