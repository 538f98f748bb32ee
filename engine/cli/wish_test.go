package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

// wished is a running deskbell that answers each act with what the body asks for, and
// notes what that was.
func wished(t *testing.T) (d *daemon, got *[]string) {
	t.Helper()
	d, got = &daemon{}, &[]string{}
	d.says("/sessions/live", asJSON(t, engine.Snapshot{Sessions: []engine.Session{
		{ID: "s1", Project: "app", Title: "app #1: Fix the login", Status: engine.Idle},
		{ID: "s2", Project: "app", Title: "app #2: Write tests", Status: engine.Idle},
		{ID: "s3", Project: "api", Title: "Evil \x1b[31m", Status: engine.Working},
	}}))
	d.says("/labels", `{"labels":[{"name":"HEAVY","color":"#ff3355","built_in":true,"sessions":1},{"name":"slow","color":"#00c2ff","built_in":false,"sessions":0}]}`)
	d.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*got = append(*got, r.URL.Path+" "+string(body))
		if r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s has content type %q", r.URL.Path, r.Header.Get("Content-Type"))
		}
		var f struct {
			On         bool
			Name, For  string
			Title, Dir string
		}
		if err := json.Unmarshal(body, &f); err != nil {
			t.Error(err)
		}
		rest, is := strings.CutPrefix(r.URL.Path, "/sessions/")
		_, act, _ := strings.Cut(rest, "/")
		if !is {
			act = ""
		}
		p := engine.Prefs{Room: f.Name, Name: f.Title, Pinned: f.On, Alert: f.On, Shared: f.On, HandsOff: f.On, Central: f.On, Muted: f.On && act == "mute"}
		if f.Name != "" {
			p.Label = &engine.Label{Name: strings.ToUpper(f.Name)}
		}
		if f.For != "" {
			p.MutedUntil = noon.Add(time.Hour)
		}
		switch {
		case f.Name == "none such":
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":"no label is called \"none such\": there are ONEOFF, HEAVY, IMPORTANT"}`)
		case act == "":
			muted := []engine.Hush{{Until: noon.Add(30 * time.Hour)}, {Dir: "/w/app"}}
			if r.URL.Path == "/unmute" {
				muted = nil
			}
			fmt.Fprint(w, asJSON(t, map[string]any{"ok": true, "muted": muted, "name": f.Name, "sessions": 2}))
		default:
			fmt.Fprint(w, asJSON(t, p))
		}
	})
	d.start()
	t.Cleanup(d.kill)
	return d, got
}

func TestWishes(t *testing.T) {
	d, asked := wished(t)
	for _, test := range []struct {
		args, asks, says string
	}{
		{"label s1 heavy", `/sessions/s1/label {"name":"heavy"}`, "app: labelled HEAVY"},
		{"label s1 none", `/sessions/s1/label {"name":""}`, "app: no label"},
		{"room app_#2 back end", `/sessions/s2/room {"name":"back end"}`, "app #2: in room back end"},
		{"room s2 None", `/sessions/s2/room {"name":""}`, "app #2: in no room"},
		{"rename api The new one", `/sessions/s3/rename {"title":"The new one"}`, "api: called The new one"},
		{"rename api none", `/sessions/s3/rename {"title":""}`, "api: called as before"},
		{"pin api", `/sessions/s3/pin {"on":true}`, "api: pinned"},
		{"pin api off", `/sessions/s3/pin {"on":false}`, "api: not pinned any more"},
		{"alert api on", `/sessions/s3/alert {"on":true}`, "api: rings loudly"},
		{"share api", `/sessions/s3/share {"on":true}`, "api: shown to your other devices"},
		{"handsoff api", `/sessions/s3/hands_off {"on":true}`, "api: nothing steers it or puts it to sleep"},
		{"central api off", `/sessions/s3/central {"on":false}`, "api: may not steer others"},
		{"mute api", `/sessions/s3/mute {"on":true}`, "api: muted"},
		{"mute api --for 1h", `/sessions/s3/mute {"for":"1h","on":true}`, "api: muted until 13:00"},
		{"mute api off", `/sessions/s3/mute {"on":false}`, "api: not muted"},
		{"unmute api", `/sessions/s3/unmute {}`, "api: not muted"},
		{"mute --all --for tomorrow", `/mute {"for":"tomorrow","on":true,"scope":"all"}`, "all sessions: muted until Tue 18:00\nsessions in /w/app: muted"},
		{"unmute --all", `/unmute {"scope":"all"}`, "no folder is muted, and not all sessions are"},
		{"labels add slow #00c2ff", `/labels {"color":"#00c2ff","name":"slow"}`, "slow is a label now: 2 sessions had it before"},
		{"labels remove slow", `/labels/remove {"name":"slow"}`, "slow is no label any more: 2 sessions had it before"},
	} {
		*asked = nil
		args := strings.Fields(test.args)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "_", " ")
		}
		got := call(d, nil, args...)
		if got.code != ok || got.err != "" || got.out != test.says+"\n" || strings.Join(*asked, "|") != test.asks {
			t.Errorf("%s: asks %q and says %q %q, want %q and %q", test.args, *asked, got.out, got.err, test.asks, test.says)
		}
	}
	if got := call(d, nil, "mute", "--dir", "."); got.code != ok || !strings.Contains((*asked)[len(*asked)-1], `"dir":"/`) && !strings.Contains((*asked)[len(*asked)-1], `:\\`) {
		t.Errorf("a folder is asked for as %q, want its whole path: %+v", *asked, got)
	}
	if got := call(d, nil, "labels"); got.out != "LABEL  COLOUR             ON\nHEAVY  #ff3355  built in  1 session\nslow   #00c2ff  yours     0 sessions\n" {
		t.Errorf("labels: got\n%s%s", got.out, got.err)
	}
}

func TestWishesRefused(t *testing.T) {
	d, asked := wished(t)
	for _, test := range []struct {
		args string
		code int
		err  string
	}{
		{"pin app", failed, `deskbell: no session matches "app": app #1, app #2 (say more)`},
		{"pin nothing", failed, "deskbell: no session matches \"nothing\": see `deskbell status --all`"},
		{"label api none such", failed, `deskbell: no label is called "none such": there are ONEOFF, HEAVY, IMPORTANT`},
		{"pin", misuse, "deskbell: expected \"<session>\" (see `deskbell pin --help`)"},
		{"pin api maybe", misuse, "deskbell: [<turn>] must be one of \"on\",\"off\" but got \"maybe\" (see `deskbell pin --help`)"},
		{"label api", misuse, "deskbell: expected \"<name> ...\" (see `deskbell label --help`)"},
		{"mute", misuse, "deskbell: name a session, --dir or --all, one of them (see `deskbell mute --help`)"},
		{"mute api --all", misuse, "deskbell: name a session, --dir or --all, one of them (see `deskbell mute --help`)"},
		{"pin api --for 1h", misuse, "deskbell: unknown flag --for"},
		{"labels add slow", misuse, "deskbell: expected \"<color>\" (see `deskbell labels --help`)"},
	} {
		*asked = nil
		got := call(d, nil, strings.Fields(test.args)...)
		if got.code != test.code || !strings.HasPrefix(got.err, test.err) || got.out != "" {
			t.Errorf("%s: got %d %q %q, want %d %q", test.args, got.code, got.err, got.out, test.code, test.err)
		}
		if test.code == misuse && len(*asked) > 0 {
			t.Errorf("%s: asks %q", test.args, *asked)
		}
	}
	if got := call(nil, nil, "pin", "app"); got.code != failed || got.err != "deskbell: it is not running: start it with `deskbell`\n" {
		t.Errorf("got %+v", got)
	}
}

// marked is a state in which you asked for something.
func marked() engine.Snapshot {
	s := several()
	p := func(id engine.ID) *engine.Session {
		for i := range s.Sessions {
			if s.Sessions[i].ID == id {
				return &s.Sessions[i]
			}
		}
		return nil
	}
	p("s1").Label, p("s1").Room = &engine.Label{Name: "HEAVY", Color: "#ff3355"}, "backend"
	p("s3").Pinned, p("s3").Alert = true, true
	p("s6").Muted, p("s6").Alert = true, true
	p("s9").Label = &engine.Label{Name: "ONE\x1b[31mOFF"}
	s.Muted = []engine.Hush{{Dir: "/w"}, {Until: noon.Add(time.Hour)}}
	return s
}

func TestMarks(t *testing.T) {
	for _, w := range []int{0, 80, 60, 40} {
		golden(t, fmt.Sprint("marks_", w), strings.Join(table(marked(), noon, screen{width: w}), "\n")+"\n")
	}
	for w := 1; w < 200; w++ {
		for _, line := range table(marked(), noon, screen{terminal: true, width: w, height: 24}) {
			if got := width(line); got > w || strings.Contains(line, "\x1b") {
				t.Errorf("on %d columns a line takes %d: %q", w, got, line)
			}
		}
	}
	other := asJSON(t, shared(marked()))
	for _, secret := range []string{"HEAVY", `"muted":[`} {
		if strings.Contains(other, secret) {
			t.Errorf("other devices are shown %s in %s", secret, other)
		}
	}
}

func TestUntil(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Hour: " until 13:00", 20 * time.Hour: " until Tue 08:00", 10 * 24 * time.Hour: " until 10 Dec 12:00",
	} {
		if got := until(noon.Add(d), noon); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
	if got := until(time.Time{}, noon); got != "" {
		t.Errorf("without an end: %q", got)
	}
}

func TestNames(t *testing.T) {
	for _, test := range []struct{ project, title, head, name string }{
		{"app", "app #1: Fix", "app", "app: Fix"},
		{"app", "app #2: Fix", "app #2", "app #2: Fix"},
		{"app", "app #1", "app", "app"},
		{"app", "app #12", "app #12", "app #12"},
		{"app", "The login", "app", "app: The login"},
		{"app", "application", "app", "app: application"},
		{"app", "app #x: y", "app", "app: app #x: y"},
		{"app", "app #2 is bad", "app", "app: app #2 is bad"},
		{"app", "app: Fix", "app", "app: Fix"},
		{"app", "app", "app", "app"},
		{"app@fix", "app@fix #1: Do", "app@fix", "app@fix: Do"},
		{"", "Fix", "Fix", "Fix"},
		{"", "", "s1", "s1"},
	} {
		s := engine.Session{ID: "s1", Project: test.project, Title: test.title}
		if h, n := head(s), name(s); h != test.head || n != test.name {
			t.Errorf("%q %q: got %q and %q, want %q and %q", test.project, test.title, h, n, test.head, test.name)
		}
	}
}

// TestFormat fills the templates of the help, and says of others what is wrong where.
func TestFormat(t *testing.T) {
	d := &daemon{}
	d.says("/sessions/live", asJSON(t, several()))
	d.start()
	defer d.kill()
	for form, want := range map[string]string{
		"{{.Counts.NeedsYou}} of {{len .Sessions}}":                                                               "5 of 12\n",
		`{{with .Counts.NeedsYou}}#[fg=yellow]{{.}} need you #[default]{{end}}{{.Counts.Working}} working`:        "#[fg=yellow]5 need you #[default]1 working\n",
		`{"text":{{json (print .Counts.NeedsYou)}},"tooltip":{{json (totals .)}},"class":"{{worst .}}"}`:          `{"text":"5","tooltip":"5 need you · 1 finished unseen · 2 working · 1 starting · 1 idle · 1 asleep · 1 ended","class":"approval"}` + "\n",
		`{{range need_you .}}{{shape .}} {{cut 20 (head .)}} {{end}}`:                                             "▲ app #2 ? shop ● api ● api ▲ web \n",
		`{{with index .Sessions 0}}{{name .}} {{word .}} {{status .}} {{where .}} {{age .}} {{colour .}} {{end}}`: "app #2: Write tests Approve approval kitty 12s #f5b301 \n",
		"{{memory .}}\n": "1.1 GB\n",
		`{{with index .Sessions 6}}{{name .}}{{end}}`: "x: Evil [31mred[0m text\n",
		`{{with index .Sessions 6}}{{.Title}}{{end}}`: "Evil [31mred[0m text\n",
	} {
		if got := call(d, nil, "status", "--format", form); got.out != want || got.code != ok {
			t.Errorf("%s: got %q %q, want %q", form, got.out, got.err, want)
		}
	}
	for form, want := range map[string]string{
		"{{.Counts":              "deskbell: --format:1: unclosed action",
		"a\n{{fly .}}":           "deskbell: --format:2: function \"fly\" not defined",
		"a\n\n  {{.Nothing}}":    "deskbell: --format:3:4: at <.Nothing>: can't evaluate field Nothing",
		"{{index .Sessions 99}}": "deskbell: --format:1:2: at <index .Sessions 99>: error calling index",
	} {
		got := call(d, nil, "status", "--format", form)
		if got.code != misuse || !strings.HasPrefix(got.err, want) || got.out != "" {
			t.Errorf("%q: got %d %q, want %q", form, got.code, got.err, want)
		}
	}
	if got := call(d, nil, "status", "--format", "x", "--json"); got.code != misuse {
		t.Errorf("as JSON and in another form: %+v", got)
	}
}
