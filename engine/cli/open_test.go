package cli

import (
	"fmt"
	"net/http"
	"testing"

	"deskbell/engine"
)

// opened is a running deskbell that notes which sessions are opened, and refuses s2.
func opened(t *testing.T, sessions ...engine.Session) (d *daemon, got *[]string) {
	t.Helper()
	d, got = &daemon{}, &[]string{}
	d.says("/sessions/live", asJSON(t, engine.Snapshot{Sessions: sessions}))
	d.HandleFunc("POST /sessions/{id}/open", func(w http.ResponseWriter, r *http.Request) {
		*got = append(*got, r.PathValue("id"))
		if r.PathValue("id") == "s2" {
			w.WriteHeader(http.StatusConflict)
			fmt.Fprint(w, `{"error": "api: its tmux session \"work\" is shown in no terminal: run `+"`tmux attach -t work`"+`"}`)
			return
		}
		fmt.Fprint(w, `{"ok": true}`)
	})
	d.start()
	t.Cleanup(d.kill)
	return d, got
}

func TestOpen(t *testing.T) {
	d, got := opened(t, engine.Session{ID: "s1", Project: "app", Status: engine.Idle}, engine.Session{ID: "s2", Project: "api", Status: engine.Working})
	if o := call(d, nil, "open", "app"); o.code != ok || o.out != "" || o.err != "" {
		t.Errorf("got %+v", o)
	}
	want := "deskbell: api: its tmux session \"work\" is shown in no terminal: run `tmux attach -t work`\n"
	if o := call(d, nil, "open", "api"); o.code != failed || o.err != want {
		t.Errorf("got %+v, want %q", o, want)
	}
	if o := call(d, nil, "open", "nothing"); o.code != failed || o.err == "" {
		t.Errorf("got %+v", o)
	}
	if fmt.Sprint(*got) != "[s1 s2]" {
		t.Errorf("opened %q, want s1 and s2", *got)
	}
	if o := call(nil, nil, "open", "app"); o.code != failed || o.err != "deskbell: it is not running: start it with `deskbell`\n" {
		t.Errorf("got %+v", o)
	}
	if o := call(d, nil, "open"); o.code != misuse {
		t.Errorf("got %+v", o)
	}
}

func TestNext(t *testing.T) {
	muted := engine.Prefs{Muted: true}
	for _, tt := range []struct {
		name string
		all  []engine.Session
		want string
	}{
		{"none", nil, "[]"},
		{"nobody needs you", []engine.Session{{ID: "s1"}, {ID: "s3"}}, "[]"},
		{"the first that does", []engine.Session{{ID: "s1"}, {ID: "s3", NeedsYou: true}, {ID: "s4", NeedsYou: true}}, "[s3]"},
		{"not a muted one", []engine.Session{{ID: "s1", NeedsYou: true, Prefs: muted}, {ID: "s3", NeedsYou: true}}, "[s3]"},
		{"a guess last", []engine.Session{{ID: "s1", NeedsYou: true, Guess: true}, {ID: "s3", NeedsYou: true}}, "[s3]"},
		{"a guess at all", []engine.Session{{ID: "s1", NeedsYou: true, Guess: true}}, "[s1]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, got := opened(t, tt.all...)
			o := call(d, nil, "next")
			if fmt.Sprint(*got) != tt.want {
				t.Errorf("opened %q, want %s", *got, tt.want)
			}
			if none := tt.want == "[]"; none && (o.code != failed || o.err != "deskbell: no session needs you\n") || !none && o.code != ok {
				t.Errorf("got %+v", o)
			}
		})
	}
}
