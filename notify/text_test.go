package notify

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"deskbell/engine"
)

func TestText(t *testing.T) {
	at := start
	ask := engine.Session{Status: engine.Approval, Project: "app", Asks: "Bash: npm test", Loud: engine.Loudly}
	turn := engine.Session{Status: engine.Waiting, Project: "app", Since: at, Loud: engine.Loudly}
	with := func(s engine.Session, f func(*engine.Session)) engine.Session { f(&s); return s }
	for _, c := range []struct {
		name, details string
		s             engine.Session
		title, body   string
	}{
		{"approval", "", ask, "app needs your approval", "Bash: npm test"},
		{"full", "full", ask, "app needs your approval", "Bash: npm test"},
		{"tool", "tool", ask, "app needs your approval", "Bash"},
		{"none", "none", ask, "app needs your approval", "A tool call wants your yes"},
		{"guess", "", with(ask, func(s *engine.Session) { s.Guess = true }), "app: approve?", "Bash: npm test"},
		{"guessed by its rule", "", with(ask, func(s *engine.Session) { s.Loud = engine.Guessed }), "app: approve?", "Bash: npm test"},
		{"more", "", with(ask, func(s *engine.Session) { s.AsksOpen = 3 }), "app needs your approval", "Bash: npm test (+2)"},
		{"sub-agent", "", with(ask, func(s *engine.Session) { s.AsksBy, s.Asks = "Explore", "WebFetch: example.org" }), "app needs your approval", "Explore (sub-agent): WebFetch example.org"},
		{"sub-agent, tool", "tool", with(ask, func(s *engine.Session) { s.AsksBy = "Explore" }), "app needs your approval", "Explore (sub-agent): Bash"},
		{"sub-agent, none", "none", with(ask, func(s *engine.Session) { s.AsksBy = "Explore" }), "app needs your approval", "A tool call wants your yes"},
		{"sub-agent, nothing known", "", with(ask, func(s *engine.Session) { s.AsksBy, s.Asks = "Explore", "" }), "app needs your approval", "Explore (sub-agent): A tool call wants your yes"},
		{"no tool to name", "tool", with(ask, func(s *engine.Session) { s.Asks = "the secret is 42" }), "app needs your approval", "A tool call wants your yes"},
		{"question", "", with(ask, func(s *engine.Session) { s.Status, s.Asks = engine.Input, "Which:\n this or\tthat?" }), "app asks you", "Which: this or that?"},
		{"question of a sub-agent", "", with(ask, func(s *engine.Session) { s.Status, s.Asks, s.AsksBy = engine.Input, "Now: yes?", "Plan" }), "app asks you", "Plan (sub-agent): Now: yes?"},
		{"question, tool", "tool", with(ask, func(s *engine.Session) { s.Status, s.Asks = engine.Input, "Which: one?" }), "app asks you", "A question wants your answer"},
		{"guessed question", "", with(ask, func(s *engine.Session) { s.Status, s.Asks, s.Guess = engine.Input, "", true }), "app asks you?", "A question wants your answer"},
		{"turn", "", turn, "app: your turn", ""},
		{"guessed turn", "", with(turn, func(s *engine.Session) { s.Guess = true }), "app: your turn?", ""},
		{"turn, seconds", "", with(turn, func(s *engine.Session) { s.Turn = at.Add(-59900 * time.Millisecond) }), "app: your turn", "Finished after 59 s"},
		{"turn, minutes", "", with(turn, func(s *engine.Session) { s.Turn = at.Add(-4*time.Minute - 30*time.Second) }), "app: your turn", "Finished after 4 min"},
		{"turn, hours", "", with(turn, func(s *engine.Session) { s.Turn = at.Add(-65 * time.Minute) }), "app: your turn", "Finished after 1 h 5 min"},
		{"turn, even hours", "", with(turn, func(s *engine.Session) { s.Turn = at.Add(-2 * time.Hour) }), "app: your turn", "Finished after 2 h"},
		{"turn, days", "", with(turn, func(s *engine.Session) { s.Turn = at.Add(-49 * time.Hour) }), "app: your turn", "Finished after 2 d 1 h"},
		{"turn from the future", "", with(turn, func(s *engine.Session) { s.Turn = at.Add(time.Hour) }), "app: your turn", ""},
		{"trouble", "none", with(turn, func(s *engine.Session) { s.Trouble = engine.RateLimit }), "app: your turn", "Stopped: rate limit"},
		{"trouble nobody knows", "", with(turn, func(s *engine.Session) { s.Trouble = "on_fire" }), "app: your turn", "Stopped: on fire"},
		{"numbered", "", with(turn, func(s *engine.Session) { s.Title = "app #2: Fix the login" }), "app #2: your turn", ""},
		{"first of its name", "", with(turn, func(s *engine.Session) { s.Title = "app #1: Fix" }), "app: your turn", ""},
		{"not its number", "", with(turn, func(s *engine.Session) { s.Title = "app #x: Fix" }), "app: your turn", ""},
		{"no project", "", with(turn, func(s *engine.Session) { s.Project, s.Dir = "", `C:\code\shop` }), "shop: your turn", ""},
		{"no folder", "", with(turn, func(s *engine.Session) { s.Project, s.Tool = "/", "codex" }), "codex: your turn", ""},
		{"nothing at all", "", with(turn, func(s *engine.Session) { s.Project = "" }), "session: your turn", ""},
		{"hostile project", "", with(turn, func(s *engine.Session) { s.Project = "-\x1b[31mapp\u202e\n" }), "- [31mapp: your turn", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := Words{Details: c.details}
			n := w.notice(&c.s)
			if n.Title != c.title || n.Body != c.body {
				t.Errorf("got %q, %q, want %q, %q", n.Title, n.Body, c.title, c.body)
			}
		})
	}
}

// An approval without a text of its own says nothing that belongs to another event.
func TestTextC105(t *testing.T) {
	s := engine.Session{Status: engine.Approval, Project: "app", Doing: "Bash", Title: "Fix the login",
		Reason: engine.Signal{Why: "an old reply"}}
	n := new(Words).notice(&s)
	if n.Body != "A tool call wants your yes" {
		t.Errorf("got %q", n.Body)
	}
}

// Of a session a notice holds what it is called, where it is and what it asks, and no
// other text: "it may hold `asks`, never other text of the conversation".
func TestTextIsNoOther(t *testing.T) {
	var s engine.Session
	v := reflect.ValueOf(&s).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.String {
			f.SetString("/secret" + v.Type().Field(i).Name)
		}
	}
	s.Trouble, s.AsksOpen, s.Since, s.Turn = "", 2, start, start.Add(-time.Minute)
	s.Agents, s.Team = []engine.Agent{{ID: "/secretAgent", Task: "/secretTask"}}, &engine.Team{Name: "/secretTeam"}
	s.Prefs = engine.Prefs{Label: &engine.Label{Name: "/secretLabel"}, Room: "/secretRoom"}
	s.Reason = engine.Signal{Why: "/secretWhy"}
	may := []string{"Project", "Tool", "RunsIn", "Peer", "Dir"}
	for _, status := range []engine.Status{engine.Approval, engine.Input, engine.Waiting} {
		for details, more := range map[string][]string{"full": {"Asks", "AsksBy"}, "tool": {"AsksBy"}, "none": nil} {
			s.Status = status
			w := Words{Details: details}
			n := w.notice(&s)
			told := n.Title + n.Body + n.Line
			for _, field := range append(slices.Clone(may), more...) {
				told = strings.ReplaceAll(told, "/secret"+field, "")
			}
			if strings.Contains(told, "secret") {
				t.Errorf("%v, %s: %q is left in %+v", status, details, told, n)
			}
		}
	}
}

func TestLine(t *testing.T) {
	w := Words{Home: "/home/dev/", Tool: func(string) string { return "Claude Code" }}
	for _, c := range []struct {
		s    engine.Session
		want string
	}{
		{engine.Session{Tool: "claude", RunsIn: "kitty", Dir: "/home/dev/code/app"}, "Claude Code · kitty · ~/code/app"},
		{engine.Session{Tool: "claude", Dir: "/home/dev"}, "Claude Code · ~"},
		{engine.Session{Tool: "claude", Dir: "/home/developer"}, "Claude Code · /home/developer"},
		{engine.Session{Tool: "claude", RunsIn: "tmux", Peer: "box", Dir: "/home/dev/x"}, "Claude Code · tmux · box · /home/dev/x"},
		{engine.Session{}, "Claude Code"},
		{engine.Session{Dir: "/" + strings.Repeat("long/", 30) + "app"}, "Claude Code · …" + ("/" + strings.Repeat("long/", 30) + "app")[154-59:]},
	} {
		if got := w.line(&c.s); got != c.want {
			t.Errorf("%+v:\n got %q\nwant %q", c.s, got, c.want)
		}
	}
	if got := (&Words{}).line(&engine.Session{Tool: "codex", Dir: "/x"}); got != "codex · /x" {
		t.Errorf("got %q", got)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s          string
		n          int
		head, tail string
	}{
		{"abc", 3, "abc", "abc"},
		{"abcd", 3, "ab…", "…cd"},
		{"ab cd", 4, "ab…", "…cd"},
		{"abc", 1, "…", "…"},
		{"abc", 0, "", ""},
		{"e\u0301e\u0301e\u0301", 4, "e\u0301…", "…e\u0301"},
		{"👩\u200d🔬xyz", 3, "…", "…yz"},
		{"日本語です", 3, "日本…", "…です"},
	} {
		if got := cut(c.s, c.n); got != c.head {
			t.Errorf("cut(%q, %d): got %q, want %q", c.s, c.n, got, c.head)
		}
		if got := tail(c.s, c.n); got != c.tail {
			t.Errorf("tail(%q, %d): got %q, want %q", c.s, c.n, got, c.tail)
		}
	}
}

// Text of others never is markup, an entity cut in half, or a second line.
func TestEscapeC98(t *testing.T) {
	for in, want := range map[string]string{
		"a & b":                 "a &amp; b",
		"<font>..<a href='x'>":  "&lt;font&gt;..&lt;a href='x'&gt;",
		"&lt;":                  "&amp;lt;",
		"plain \"quoted\" text": "plain \"quoted\" text",
	} {
		if got := escape(in); got != want {
			t.Errorf("escape(%q): got %q, want %q", in, got, want)
		}
	}
	if got := escape(cut(strings.Repeat("&", 10), 4)); got != "&amp;&amp;&amp;…" {
		t.Errorf("got %q", got)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a & b", "<b>x", "e\u0301\u0301", "👩\u200d🔬", "\xff\xfe", "\x00\x1b]0;x\a", "\u202eabc", "a\u2028b", "- --x", "]]>", "$(x)`"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = min(max(n, 0), 200)
		c := clean(s)
		if !utf8.ValidString(c) || strings.ContainsFunc(c, func(r rune) bool {
			return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r != ' ' && unicode.IsSpace(r)
		}) {
			t.Errorf("clean(%q) is %q", s, c)
		}
		if again := clean(c); again != c {
			t.Errorf("clean(%q) is %q, and again %q", s, c, again)
		}
		for _, short := range []string{cut(c, n), tail(c, n)} {
			if utf8.RuneCountInString(short) > n || !utf8.ValidString(short) {
				t.Errorf("%q cut to %d is %q", c, n, short)
			}
		}
		if head, ok := strings.CutSuffix(cut(c, n), "…"); ok && !strings.HasPrefix(c, head) {
			t.Errorf("%q cut to %d is %q", c, n, head)
		}
		e := escape(c)
		if strings.ContainsAny(e, "<>") || strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(e) != c {
			t.Errorf("escape(%q) is %q", c, e)
		}
		if p := inert(c); strings.ContainsAny(p, "$`") || strings.Contains(p, "]]>") || strings.HasPrefix(p, "-") {
			t.Errorf("inert(%q) is %q", c, p)
		}
		w := Words{Details: "tool"}
		if b := w.body(&engine.Session{Status: engine.Approval, Asks: "Bash: " + s}); b != "Bash" {
			t.Errorf("details = tool tells %q", b)
		}
	})
}
