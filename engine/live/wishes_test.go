package live

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
)

// begin has an engine with what is kept in dir run in a loop, and sessions s1 to s3 in it.
// It returns what ends that.
func begin(t *testing.T, dir string) (w *Wishes, end func()) {
	t.Helper()
	d, m, told, err := OpenDisk(dir, "b1", 24*time.Hour, silent(t))
	if err != nil {
		t.Fatal(err)
	}
	w, stop := desk(d, m, told)
	return w, func() {
		stop()
		if err := d.Close(w.Engine.Memory()); err != nil {
			t.Error(err)
		}
	}
}

func desk(d *Disk, m engine.Memory, told []engine.Event) (w *Wishes, stop func()) {
	e := engine.New(engine.DefaultLimits())
	e.Recall(m)
	l := NewLoop(e)
	l.First = told
	d.Keep(l, e.Memory)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { l.Run(ctx) })
	wg.Go(func() { d.Run(ctx) })
	for n := range 3 {
		who := engine.Who{Tool: "tool", ID: fmt.Sprint("id", n), PID: 41 + n, Ticks: 7, Dir: "/w/app"}
		l.Emit(
			engine.Event{By: engine.Listing, Who: who, Fact: engine.Listed{Level: engine.ListedIdle}},
			engine.Event{By: engine.Process, Who: who, Fact: engine.Alive{Yes: true}})
	}
	_ = l.Do(ctx, func() {}) // they are there now
	w = &Wishes{Loop: l, Engine: e, Disk: d, Now: time.Now, Real: func(dir string) string { return dir }}
	return w, func() { cancel(); wg.Wait() }
}

// TestWishes asks for all there is, over the API, and begins again with what was kept.
func TestWishes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deskbell")
	w, end := begin(t, dir)
	noon := time.Date(2100, 11, 30, 12, 0, 0, 0, time.UTC)
	w.Now = func() time.Time { return noon }
	routes := (&Server{Loop: w.Loop, Act: w.Act, Routes: w.Routes()}).Handler()
	const long = "a name that is by far too long to be read by anybody who looks at a menu"
	for _, test := range []struct {
		path, body string
		status     int
		want       string // in the answer
	}{
		{"/sessions/s1/label", `{"name": "heavy"}`, 200, `"label":{"name":"HEAVY","color":"#ff3355"}`},
		{"/sessions/s1/label", `{"name": "none such"}`, 400, "no label is called \\\"none such\\\": there are ONEOFF, HEAVY, IMPORTANT; `deskbell labels add NAME #rrggbb` makes another"},
		{"/sessions/s1/label", ``, 400, `label takes {\"name\": \"HEAVY\"}, or an empty name: it is missing`},
		{"/sessions/s1/label", `{"nam": "HEAVY"}`, 400, `unknown field \"nam\"`},
		{"/sessions/s1/label", `{"name": 3}`, 400, `label takes`},
		{"/sessions/s1/room", `{"name": " back\u001b[31m\u202e\n  end "}`, 200, `"room":"back[31m end"`},
		{"/sessions/s1/room", `{"name": "` + long + `"}`, 400, "that room has 72 characters: 40 is the most"},
		{"/sessions/s1/rename", `{"title": "The login"}`, 200, `"name":"The login"`},
		{"/sessions/s1/rename", `{"title": "` + long + `"}`, 400, "60 is the most"},
		{"/sessions/s1/pin", ``, 200, `"pinned":true`},
		{"/sessions/s1/pin", `{"one": true}`, 400, `pin takes {\"on\": true}: unknown field \"one\"`},
		{"/sessions/s1/pin", `{"on": "yes"}`, 400, `pin takes`},
		{"/sessions/s1/alert", `{"on": true}`, 200, `"alert":true`},
		{"/sessions/s1/share", `{"on": true}`, 200, `"shared":true`},
		{"/sessions/s1/hands_off", `{"on": true}`, 200, `"hands_off":true`},
		{"/sessions/s1/central", `{}`, 200, `"central":true`},
		{"/sessions/s2/central", `{"on": true}`, 200, `"central":true`},
		{"/sessions/s2/central", `{"on": false}`, 200, `"central":false`},
		{"/sessions/s1/mute", `{"for": "1h"}`, 200, `"muted":true`},
		{"/sessions/s1/mute", `{"for": "1 hour"}`, 400, `\"1 hour\" is no length of time: try 30m, 1h or tomorrow`},
		{"/sessions/s1/mute", `{"for": "-1h"}`, 400, `no length of time`},
		{"/sessions/s2/mute", `{"for": "tomorrow"}`, 200, `"muted_until":"2100-12-01T08:00:00Z"`},
		{"/sessions/s3/mute", ``, 200, `"muted":true`},
		{"/sessions/s3/unmute", ``, 200, `"muted":false`},
		{"/sessions/s9/pin", ``, 404, `no session is called \"s9\"`},
		{"/sessions/s1/dance", ``, 404, `knows no act \"dance\"`},
		{"/mute", `{"scope": "all", "for": "1h"}`, 200, `"muted":[{"until":"2100-11-30T13:00:00Z"}]`},
		{"/mute", `{"scope": "dir", "dir": "/w/app"}`, 200, `{"dir":"/w/app"}`},
		{"/mute", `{"scope": "dir", "dir": "app"}`, 400, `\"app\" is no whole path`},
		{"/mute", `{"scope": "room"}`, 400, `scope \"room\" is none`},
		{"/mute", `{"dir": "/w/app"}`, 400, `scope \"\" is none`},
		{"/labels", `{"name": "slow", "color": "#00C2FF"}`, 200, `"ok":true`},
		{"/labels", `{"name": "slow", "color": "blue"}`, 400, `\"blue\" is no colour: give one as #rrggbb`},
		{"/labels", `{"name": "Heavy", "color": "#00c2ff"}`, 400, "built in"},
		{"/labels", `{"name": "None", "color": "#00c2ff"}`, 400, "choose another"},
		{"/labels", `{"name": "` + long + `", "color": "#00c2ff"}`, 400, "24 is the most"},
		{"/labels/remove", `{"name": "HEAVY"}`, 400, "built in"},
		{"/labels/remove", `{"name": "fast"}`, 400, "no label of yours"},
		{"/sessions/s2/label", `{"name": "SLOW"}`, 200, `"label":{"name":"slow","color":"#00c2ff"}`},
	} {
		status, body := post(routes, "POST", test.path, test.body)
		if status != test.status || !strings.Contains(body, test.want) {
			t.Errorf("POST %s %.60s: got %d %s, want %d %s", test.path, test.body, status, body, test.status, test.want)
		}
	}
	if _, body := post(routes, "GET", "/labels", ""); !strings.Contains(body, `{"name":"slow","color":"#00c2ff","built_in":false,"sessions":1}`) {
		t.Errorf("labels: %s", body)
	}
	if _, body := post(routes, "GET", "/sessions/live", ""); !strings.Contains(body, `"muted":[{"until":`) {
		t.Errorf("what is muted is not in %s", body)
	}
	for n := range engine.LabelsOwn {
		status, body := post(routes, "POST", "/labels", fmt.Sprintf(`{"name": "l%d", "color": "#00c2ff"}`, n))
		if full := n == engine.LabelsOwn-1; (status == 400) != full || full && !strings.Contains(body, "there are 30 labels of yours already: remove one first") {
			t.Errorf("label %d: got %d %s", n, status, body)
		}
	}
	_, before := post(routes, "GET", "/sessions/live", "")
	end()

	w, end = begin(t, dir)
	defer end()
	routes = (&Server{Loop: w.Loop, Act: w.Act, Routes: w.Routes()}).Handler()
	_, after := post(routes, "GET", "/sessions/live", "")
	if was, is := prefs(t, before), prefs(t, after); was != is || !strings.Contains(is, "HEAVY") {
		t.Errorf("it was\n%s\nand is\n%s", was, is)
	}
	for path, want := range map[string]string{
		"/labels/remove": `"sessions":1`, "/unmute": `"muted":[{"dir":"/w/app"}]`,
	} {
		body := map[string]string{"/labels/remove": `{"name": "Slow"}`}[path]
		if status, got := post(routes, "POST", path, body); status != 200 || !strings.Contains(got, want) {
			t.Errorf("POST %s: got %d %s, want %s", path, status, got, want)
		}
	}
	if _, body := post(routes, "GET", "/sessions/live", ""); strings.Contains(body, "slow") {
		t.Errorf("a label that is gone is worn in %s", body)
	}
}

// post asks h without a socket.
func post(h http.Handler, method, path, body string) (int, string) {
	out := httptest.NewRecorder()
	h.ServeHTTP(out, httptest.NewRequest(method, path, strings.NewReader(body)))
	return out.Code, out.Body.String()
}

// prefs is what you asked for about each session of a snapshot.
func prefs(t *testing.T, body string) string {
	t.Helper()
	var s engine.Snapshot
	if err := json.Unmarshal([]byte(body), &s); err != nil {
		t.Fatal(err)
	}
	all := map[engine.ID]string{}
	for _, one := range s.Sessions {
		text, _ := json.Marshal(one.Prefs)
		all[one.ID] = one.Title + string(text)
	}
	return fmt.Sprint(all)
}

// TestUnkept checks that what cannot be written is not called done.
func TestUnkept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deskbell")
	d, m, told, err := OpenDisk(dir, "b1", 24*time.Hour, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	w, stop := desk(d, m, told)
	defer func() { stop(); d.Close(m) }()
	if err := w.Loop.Do(t.Context(), func() {}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Act("s1", "pin", nil); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, stateFile)
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil { // in the place of a file
		t.Fatal(err)
	}
	if _, err := w.Act("s1", "alert", nil); err == nil || !strings.Contains(err.Error(), "cannot be kept") {
		t.Errorf("got %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Act("s1", "alert", nil); err != nil {
		t.Errorf("got %v", err)
	}
	w.Disk = nil
	if _, err := w.Act("s1", "pin", nil); err == nil || !strings.Contains(err.Error(), "no folder") {
		t.Errorf("got %v", err)
	}
}

func TestEnding(t *testing.T) {
	zone := time.FixedZone("", -5*60*60)
	at := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 30, 0, 0, zone) }
	for _, test := range []struct {
		length    string
		now, want time.Time
	}{
		{"", at(30, 12), time.Time{}},
		{"120m", at(30, 12), at(30, 14)},
		{"tomorrow", at(29, 12), at(30, 8).Add(-30 * time.Minute)},
		{"tomorrow", at(30, 23), at(31, 8).Add(-30 * time.Minute)},
		{"tomorrow", at(30, 1), at(30, 8).Add(-30 * time.Minute)},
		{"tomorrow", at(29, 7), at(30, 8).Add(-30 * time.Minute)},
	} {
		if got, err := ending(test.length, test.now); err != nil || !got.Equal(test.want) {
			t.Errorf("%q at %v: got %v %v, want %v", test.length, test.now, got, err, test.want)
		}
	}
}

// wisher is set in the environment of the copy of this program that asks for something
// about its sessions until it is killed.
const wisher = "DESKBELL_TEST_WISH"

// wishOn prints what it was told is done.
func wishOn(dir string) {
	d, m, told, err := OpenDisk(dir, "b1", 24*time.Hour, func(s string) { fmt.Println("says", s) })
	if err != nil {
		fmt.Println("says", err)
		os.Exit(1)
	}
	w, _ := desk(d, m, told)
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	last := 0
	for _, c := range m.Cards {
		var n int
		if _, err := fmt.Sscanf(c.Room, "room %d", &n); err == nil {
			last = max(last, n)
		}
	}
	for n := last + 1; ; n++ {
		id := fmt.Sprint("s", 1+r.IntN(3))
		for _, act := range [][2]string{{"label", `{"name": "HEAVY"}`}, {"pin", ""}, {"room", fmt.Sprintf(`{"name": "room %d"}`, n)}} {
			if _, err := w.Act(id, act[0], json.RawMessage(act[1])); err != nil {
				fmt.Println("says", err)
				os.Exit(1)
			}
		}
		fmt.Println("set", id, n)
	}
}

// TestKilledWisher kills one that asks for things, at random moments, 200 times: what it
// was told is done is there.
func TestKilledWisher(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 20
	}
	dir := filepath.Join(t.TempDir(), "deskbell")
	r := rand.New(rand.NewPCG(1, 3))
	done := map[string]int{}
	for range kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), wisher+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		few := r.IntN(4) // what is done before its end is near
		var kill *time.Timer
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "says") {
				t.Error(lines.Text())
			}
			var id string
			var n int
			if _, err := fmt.Sscanf(lines.Text(), "set %s %d", &id, &n); err == nil {
				done[id] = n
			}
			if few--; few < 0 && kill == nil {
				kill = time.AfterFunc(time.Duration(r.IntN(5_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
			}
		}
		_ = cmd.Wait() // it was killed
		_, m, err := OpenState(dir, silent(t))
		if err != nil {
			t.Fatal(err)
		}
		cards := map[string]engine.Card{}
		for _, c := range m.Cards {
			cards[string(c.ID)] = c
		}
		for id, n := range done {
			c, is := 0, cards[id]
			if _, err := fmt.Sscanf(is.Room, "room %d", &c); err != nil || c < n || is.Label == nil || !is.Pinned {
				t.Fatalf("%s was told room %d is set, and has %+v", id, n, is)
			}
		}
		if info, err := os.Stat(filepath.Join(dir, stateFile)); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Fatalf("%v, mode %v", err, info.Mode())
		}
	}
	if len(done) != 3 {
		t.Errorf("only %v were asked for", done)
	}
}

// FuzzWish reads acts of anybody's: what comes through is one short line.
func FuzzWish(f *testing.F) {
	for act := range wishes {
		for _, body := range []string{``, `{}`, `{"on":false}`, `{"name":"heavy"}`, `{"title":"a\nb\u202ec"}`, `{"for":"1h"}`, `{"for":"tomorrow"}`, `[]`, `{"name":null}`} {
			f.Add(act, body)
		}
	}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, act, body string) {
		a := ask{act: act, body: json.RawMessage(body), now: now, labels: engine.BuiltIn()}
		w, err := a.wished()
		if err == nil && (strings.ContainsAny(w.Text, "\n\x1b\x00\u202e") || len([]rune(w.Text)) > longestName || w.Wish.String() == "" || !w.Until.IsZero() && w.Until.Before(now)) {
			t.Errorf("%s %s is %+v", act, body, w)
		}
		if h, err := a.hush(filepath.Clean); err == nil && h.Dir != "" && !filepath.IsAbs(h.Dir) {
			t.Errorf("%s is %+v", body, h)
		}
		if c, err := a.coloured(false); err == nil && (!engine.ValidColor(c.Color) || c.Name == "" || c.Name != engine.Tidy(c.Name)) {
			t.Errorf("%s is %+v", body, c)
		}
	})
}
