package live

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"deskbell/engine"
)

// TestNew opens sessions over the API.
func TestNew(t *testing.T) {
	w, end := begin(t, filepath.Join(t.TempDir(), "deskbell"))
	defer end()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	there := func(argv ...string) func() ([]string, error) {
		return func() ([]string, error) { return argv, nil }
	}
	var opened []string
	var fails error
	o := &Opener{Loop: w.Loop, Wishes: w, Name: func() string { return "t" + string(rune('1'+len(opened))) },
		Tools: []Tool{
			{Name: "gone", Title: "Gone", Command: func() ([]string, error) { return nil, errors.New("no such program: install it") }},
			{Name: "tool", Title: "Tool", Command: there("/bin/tool", "-x")}, {Name: "other", Title: "Other", Terse: true, Command: there("/bin/other")},
		},
		Open: func(_ context.Context, term, in string, argv []string) error {
			opened = append(opened, term+"|"+in+"|"+strings.Join(argv, "|"))
			s := w.Loop.Feed.Snapshot().Sessions
			if i := len(s) - 1; s[i].Terminal != term && s[0].Terminal != term {
				t.Errorf("no card waits for %s: %+v", term, s)
			}
			if fails == nil {
				w.Loop.Emit(engine.Event{By: engine.Terminal, Who: engine.Who{Term: term, TTY: "/dev/pts/9"}, Fact: engine.Hosted{Open: true}})
			}
			return fails
		}}
	routes := (&Server{Loop: w.Loop, Act: func(_, _ string, body json.RawMessage) (any, error) { return o.Act(body) }}).Handler()
	for _, test := range []struct {
		body   string
		fails  error
		status int
		want   string
		opens  string
	}{
		{`{"tool": "tool", "dir": "` + dir + `", "room": "back end", "label": "heavy"}`, nil, 200,
			`"tool":"tool"|"status":"connecting"|"hosted":true|"terminal":"t1"|"tty":"/dev/pts/9"|"room":"back end"|"name":"HEAVY"|"dir":"` + dir, "t1|" + dir + "|/bin/tool|-x"},
		{`{"dir": "` + dir + `"}`, nil, 200, `"tool":"tool"|"terminal":"t2"`, "t2|" + dir + "|/bin/tool|-x"}, // the first that is installed
		{`{"tool": "other", "dir": "` + dir + `"}`, errors.New("no terminal is found: name yours"), 409, "no terminal is found: name yours", "t3|" + dir + "|/bin/other"},
		{`{"tool": "gone", "dir": "` + dir + `"}`, nil, 409, "Gone cannot be started: no such program: install it", ""},
		{`{"tool": "nothing", "dir": "` + dir + `"}`, nil, 400, `no tool is called \"nothing\": there are gone, tool, other`, ""},
		{`{"tool": "tool", "dir": "w"}`, nil, 400, `\"w\" is no whole path of a folder`, ""},
		{`{"tool": "tool"}`, nil, 400, `is no whole path of a folder`, ""},
		{`{"tool": "tool", "dir": "` + dir + `/gone"}`, nil, 409, "make the folder, or choose another", ""},
		{`{"tool": "tool", "dir": "` + file + `"}`, nil, 409, "is no folder: choose one", ""},
		{`{"tool": "tool", "dir": "` + dir + `", "label": "none such"}`, nil, 400, `no label is called`, ""},
		{`{"tol": "tool"}`, nil, 400, `new takes {\"tool\"`, ""},
	} {
		n := len(opened)
		fails = test.fails
		r := httptest.NewRequest("POST", "/sessions", strings.NewReader(test.body))
		r.Header.Set("Content-Type", "application/json")
		got := httptest.NewRecorder()
		routes.ServeHTTP(got, r)
		for _, want := range strings.Split(test.want, "|") {
			if got.Code != test.status || !strings.Contains(got.Body.String(), want) {
				t.Errorf("%s: got %d %s, want %d %s", test.body, got.Code, got.Body, test.status, want)
			}
		}
		if opens := strings.Join(opened[n:], " "); opens != test.opens {
			t.Errorf("%s: opened %q, want %q", test.body, opens, test.opens)
		}
	}
	s, err := w.Loop.Look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range s.Sessions { // nothing is left of what could not be opened but an end
		if one.Tool == "other" && one.Status != engine.Ended {
			t.Errorf("got %+v", one)
		}
	}
}
