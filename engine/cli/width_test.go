package cli

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"deskbell/engine"
)

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "app": 3, "Übung": 5, "U\u0308bung": 5, "日本語": 6, "한국어": 6, "한": 2, "ｶﾅ": 2, "Ｆｕｌｌ": 8, "👍": 2,
		"é": 1, "▲●◐○◌☾✕◉…≈": 10, "⚡": 2, "❤\ufe0f": 2, "🇩🇪": 4, "a\u200bb": 2, "\x1b": 0,
	} {
		if got := width(s); got != want {
			t.Errorf("width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, test := range []struct {
		s    string
		n    int
		want string
	}{
		{"app", 3, "app"}, {"apps", 3, "ap…"}, {"a pps", 3, "a…"}, {"日本語", 6, "日本語"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"},
		{"abc", 1, "…"}, {"abc", 0, ""}, {"abc", -1, ""}, {"", 0, ""},
	} {
		if got := cut(test.s, test.n); got != test.want {
			t.Errorf("cut(%q, %d) = %q, want %q", test.s, test.n, got, test.want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("Übersetze 日本語のドキュメント 👩‍💻 \x1b[31m\u202e", 12)
	f.Fuzz(func(t *testing.T, s string, n int) {
		s = clean(strings.ToValidUTF8(s, "?"))
		n = min(max(n, 0), 1000)
		got := cut(s, n)
		if width(got) > n || !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\n\r\u202e") {
			t.Errorf("cut(%q, %d) = %q", s, n, got)
		}
	})
}

func TestAges(t *testing.T) {
	for d, want := range map[time.Duration][2]string{
		0: {"0s", "0 s"}, 12 * time.Second: {"12s", "12 s"}, 59*time.Second + 999*time.Millisecond: {"59s", "59 s"},
		time.Minute: {"1m", "1 min"}, 119 * time.Minute: {"1h", "1 h"}, 50 * time.Hour: {"2d", "2 d"},
	} {
		if got := [2]string{short(d), long(d)}; got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
		if turns := turns(d); short(d+turns) == short(d) || short(d+turns-1) != short(d) {
			t.Errorf("%v: reads differently after %v", d, turns)
		}
	}
	if got := ago(noon, noon.Add(time.Hour)); got != 0 {
		t.Errorf("the age of what lies ahead is %v, want 0", got)
	}
}

func TestPick(t *testing.T) {
	sessions := []engine.Session{
		{ID: "s1", SessionID: "3f0c-1", Project: "app", Title: "Fix the login", Status: engine.Working},
		{ID: "s2", SessionID: "3f0d-2", Project: "api", Title: "Fix the logout", Status: engine.Idle},
		{ID: "s3", SessionID: "77aa-3", Project: "docs", Title: "docs #1: Write", Status: engine.Waiting},
		{ID: "s4", SessionID: "88bb-4", Project: "docs", Title: "docs #2: Read", Status: engine.Waiting},
		{ID: "s5", SessionID: "99cc-5", Project: "old app", Title: "Old", Status: engine.Ended},
		{ID: "s6", SessionID: "99dd-6", Project: "gone", Title: "Paint it black", Status: engine.Ended},
		{ID: "s7", Project: "new", Title: "", Status: engine.Connecting},
		{ID: "s8", SessionID: "aaee-8", Project: "new", Title: "", Status: engine.Idle},
	}
	for s, want := range map[string]string{
		"s1": "s1", "S1": "s1", "3f0c": "s1", "3f0d-2": "s2", "login": "s1", "LOGIN": "s1", "app": "s1", "API": "s2", "old app": "s5",
		"black": "s6", "99c": "s5", "write": "s3", "docs #2": "s4",
		"ap":   `no session matches "ap": api, app (say more)`,
		"3f0":  `no session matches "3f0": api, app (say more)`,
		"docs": `no session matches "docs": docs #1, docs #2 (say more)`,
		"new":  `no session matches "new": new (s7), new (s8) (say more)`,
		"99":   `no session matches "99": gone, old app (say more)`,
		"zz":   "no session matches \"zz\": see `deskbell status --all`",
		"":     "no session matches \"\": see `deskbell status --all`",
	} {
		one, err := Pick(sessions, s)
		got := string(one.ID)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("Pick(%q): got %s, want %s", s, got, want)
		}
	}
}
