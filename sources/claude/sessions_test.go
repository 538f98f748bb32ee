package claude

import (
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/clitest"
)

const (
	id  = "3e227dd2-b1da-44f7-8b91-5a8999a6076f"
	uid = `"pid":41,"sessionId":"` + id + `","cwd":"/home/dev/proj","procStart":"129270"`
)

var mod = time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)

func sessionOf(text string) sources.File {
	return sources.File{Rel: "sessions/41.json", Text: []byte(text), Mod: mod}
}

func TestSessionFile(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"busy":    {`{` + uid + `,"status":"busy"}`, []string{"Listed{Level:busy}"}},
		"idle":    {`{` + uid + `,"status":"idle"}`, []string{"Listed{Level:idle}"}},
		"a shell": {`{` + uid + `,"status":"shell"}`, []string{"Listed{Level:shell}"}},
		"before there is a status": {`{` + uid + `,"startedAt":1796000000000,"kind":"interactive","entrypoint":"cli"}`,
			[]string{"Started{}", "Listed{Level:present}"}},
		"an unknown word":            {`{` + uid + `,"status":"dreaming"}`, nil},
		"permission prompt":          {`{` + uid + `,"status":"waiting","waitingFor":"permission prompt"}`, []string{"Listed{Level:asking}"}},
		"worker request":             {`{` + uid + `,"status":"waiting","waitingFor":"worker request"}`, []string{"Listed{Level:asking}"}},
		"sandbox request":            {`{` + uid + `,"status":"waiting","waitingFor":"sandbox request"}`, []string{"Listed{Level:asking}"}},
		"goal proposal":              {`{` + uid + `,"status":"waiting","waitingFor":"goal proposal"}`, []string{"Listed{Level:asking}"}},
		"input needed":               {`{` + uid + `,"status":"waiting","waitingFor":"input needed"}`, []string{"Listed{Level:question}"}},
		"a dialog":                   {`{` + uid + `,"status":"waiting","waitingFor":"dialog open"}`, []string{"Listed{Level:dialog}"}},
		"waits for who knows what":   {`{` + uid + `,"status":"waiting","waitingFor":"the moon"}`, []string{"Listed{Level:waiting}"}},
		"waits for nothing":          {`{` + uid + `,"status":"waiting"}`, []string{"Listed{Level:waiting}"}},
		"waitingFor is of the past":  {`{` + uid + `,"status":"busy","waitingFor":"permission prompt"}`, []string{"Listed{Level:busy}"}},
		"a background job":           {`{` + uid + `,"kind":"bg","jobId":"3994d6ba","status":"idle"}`, []string{"Listed{Level:idle}"}},
		"the daemon":                 {`{` + uid + `,"kind":"daemon","status":"idle"}`, nil},
		"a worker of the daemon":     {`{` + uid + `,"kind":"daemon-worker","status":"idle"}`, nil},
		"claude -p":                  {`{` + uid + `,"entrypoint":"sdk-cli","status":"busy"}`, nil},
		"an SDK":                     {`{` + uid + `,"entrypoint":"sdk-py","status":"busy"}`, nil},
		"an editor":                  {`{` + uid + `,"entrypoint":"claude-vscode","status":"busy"}`, []string{"Listed{Level:busy}"}},
		"a derived name":             {`{` + uid + `,"name":"proj-6e","nameSource":"derived","status":"idle"}`, []string{"Listed{Level:idle}"}},
		"a name":                     {`{` + uid + `,"name":"Fix\nit","nameSource":"auto","status":"idle"}`, []string{"Described{Title:Fix it}", "Listed{Level:idle}"}},
		"the tail of an older value": {`{` + uid + `,"status":"busy"}"statusUpdatedAt":1}`, []string{"Listed{Level:busy}"}},
		"the tail of an older line":  {`{` + uid + `,"status":"busy"}` + "\n" + `x","status":"waiting"}`, []string{"Listed{Level:busy}"}},
		"no process":                 {`{"sessionId":"` + id + `","status":"busy"}`, nil},
		"process 0":                  {`{"pid":0,"sessionId":"` + id + `","status":"busy"}`, nil},
		"a negative process":         {`{"pid":-41,"sessionId":"` + id + `","status":"busy"}`, nil},
		"no id":                      {`{"pid":41,"status":"busy"}`, nil},
		"of an older tool (C36)":     {`{"session_id":"` + id + `","cwd":"/home/dev/proj"}`, nil},
		"of no known start (C36)":    {`{"pid":41,"sessionId":"` + id + `","cwd":"/home/dev/proj"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := session(sessionOf(tc.text))
			if err != nil {
				t.Fatal(err)
			}
			clitest.Compare(t, got, tc.want...)
		})
	}
}

func TestSessionFileTorn(t *testing.T) {
	for _, text := range []string{
		"", `{"pid":41,"sess`, `{` + uid + `,"status":"wait`, "\x00\x00\x00\x00", `{"pid":"41"}`, `{"pid":41,"sessionId":7}`,
		`{` + uid + `,"startedAt":"yesterday"}`, `[` + uid + `]`, `"busy"`, "null\x00",
	} {
		if got, err := session(sessionOf(text)); len(got) > 0 || err == nil && text != "null\x00" {
			t.Errorf("%q says %v, %v", text, got, err)
		}
	}
}

func TestSessionFileWho(t *testing.T) {
	got, err := session(sessionOf(`{` + uid + `,"pidDomain":"linux:0:pid:[4026532529]","entrypoint":"claude-desktop","status":"busy"}`))
	if err != nil || len(got) != 1 {
		t.Fatalf("got %v, %v", got, err)
	}
	want := engine.Who{
		Tool: "claude", ID: id, PID: 41, Ticks: 129270, Domain: "linux:0:pid:[4026532529]", Dir: "/home/dev/proj", RunsIn: "Claude Desktop",
	}
	if got[0].Who != want || got[0].By != engine.Listing {
		t.Errorf("got %+v by %v", got[0].Who, got[0].By)
	}
	for raw, ticks := range map[string]uint64{`"129270"`: 129270, `129270`: 129270, `"Mon Nov 30 08:00:00 2026"`: 0, `null`: 0, `-1`: 0, `{}`: 0} {
		got, err := session(sessionOf(`{"pid":41,"sessionId":"` + id + `","status":"idle","procStart":` + raw + `}`))
		if err != nil || len(got) != 1 || got[0].Who.Ticks != ticks {
			t.Errorf("procStart %s: got %+v, %v, want %d ticks", raw, got, err, ticks)
		}
	}
}

// TestSessionFileDates checks that a status is dated by when it began, not by when its
// file was last touched, which may be long ago in a long turn (C37).
func TestSessionFileDates(t *testing.T) {
	got, err := session(sessionOf(`{` + uid + `,"status":"busy","startedAt":1796025600000,"updatedAt":1796025660000,"statusUpdatedAt":1796025630500}`))
	if err != nil {
		t.Fatal(err)
	}
	clitest.Compare(t, got, "Started{}", "Listed{Level:busy}")
	if at := got[0].At; !at.Equal(time.UnixMilli(1796025600000)) {
		t.Errorf("it started at %v", at)
	}
	if at := got[1].At; !at.Equal(time.UnixMilli(1796025630500)) {
		t.Errorf("it is busy since %v", at)
	}
	got, err = session(sessionOf(`{` + uid + `,"status":"busy"}`))
	if err != nil || len(got) != 1 || !got[0].At.Equal(mod) {
		t.Errorf("without a date: %v, %v, want %v", got, err, mod)
	}
}

func TestGone(t *testing.T) {
	for rel, pid := range map[string]int{
		"sessions/41.json": 41, "sessions/41." + strings.Repeat("a", 64) + ".key": 41,
		"sessions/pid-41.json": 0, "sessions/.json": 0, "sessions/-41.json": 0, "sessions/x.json": 0, "sessions/0.json": 0, "sessions/4e1.json": 0,
		"sessions/99999999999999999999.json": 0, "": 0,
	} {
		for what, read := range map[string]func(sources.File) ([]engine.Event, error){"session": session, "key": starting} {
			got, err := read(sources.File{Rel: rel, Mod: mod})
			switch {
			case err != nil:
				t.Errorf("%s %q: %v", what, rel, err)
			case pid == 0 && len(got) > 0:
				t.Errorf("%s %q: says %+v", what, rel, got)
			case pid != 0 && (len(got) != 1 || got[0].Who != engine.Who{Tool: "claude", PID: pid} || got[0].Fact != engine.Listed{Level: engine.Unlisted} || !got[0].At.Equal(mod)):
				t.Errorf("%s %q: says %+v", what, rel, got)
			}
		}
	}
}

// TestKey checks that a key tells that a CLI starts, by its name alone: what is in it
// is a secret and is not even read.
func TestKey(t *testing.T) {
	got, err := starting(sources.File{Rel: "sessions/41.aa.key", Text: []byte{}, Mod: mod})
	if err != nil || len(got) != 1 || got[0].Who != (engine.Who{Tool: "claude", PID: 41}) {
		t.Fatalf("got %+v, %v", got, err)
	}
	clitest.Compare(t, got, "Listed{Level:starting}")
	got, err = starting(sources.File{Rel: "sessions/x.aa.key", Text: []byte{}, Mod: mod})
	if err != nil || len(got) > 0 {
		t.Errorf("a key of no process: %v, %v", got, err)
	}
	for _, tree := range CLI.Files {
		if strings.HasSuffix(tree.Glob, ".key") && tree.Whole {
			t.Errorf("%s is read", tree.Glob)
		}
	}
}

func TestMeta(t *testing.T) {
	file := func(text string) sources.File {
		return sources.File{Rel: "projects/-home-dev-proj/" + id + "/subagents/agent-a81afcc0b985b8584.meta.json", Text: []byte(text), Mod: mod}
	}
	for text, want := range map[string][]string{
		`{"agentType":"Explore","description":"Find\tthe bug","toolUseId":"t1","spawnDepth":1}`: {"AgentRan{Agent:a81afcc0b985b8584 Type:Explore Task:Find the bug}"},
		`{"agentType":"Explore","description":"","finished":true}`:                              {"AgentRan{Agent:a81afcc0b985b8584 Type:Explore Done:true}"},
		`{}`: nil, `null`: nil,
	} {
		got, err := meta(file(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		clitest.Compare(t, got, want...)
		for _, ev := range got {
			if ev.Who != (engine.Who{Tool: "claude", ID: id}) || ev.By != engine.Transcript || !ev.At.Equal(mod) {
				t.Errorf("%s: it is of %+v by %v at %v", text, ev.Who, ev.By, ev.At)
			}
		}
	}
	for _, text := range []string{"", "{", `{"agentType":7}`, `[]`} {
		if got, err := meta(file(text)); err == nil || len(got) > 0 {
			t.Errorf("%q: says %v, %v", text, got, err)
		}
	}
	if got, err := meta(sources.File{Rel: "x"}); err != nil || len(got) > 0 {
		t.Errorf("gone: says %v, %v", got, err)
	}
}
