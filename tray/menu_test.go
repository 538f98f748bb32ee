package tray

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

var update = flag.Bool("update", false, "write the golden menus anew")

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// cards makes sessions that began to be what they are a minute apart, the last
// of them at noon.
func cards(all ...engine.Session) engine.Snapshot {
	for i := range all {
		s := &all[i]
		s.ID = engine.ID(fmt.Sprintf("s%d", i+1))
		if s.Since.IsZero() {
			s.Since = noon.Add(time.Duration(i+1-len(all)) * time.Minute)
		}
		s.NeedsYou = s.Status.NeedsYou()
	}
	return engine.Snapshot{At: noon, Sessions: all, Counts: engine.Count(all)}
}

func fifty() (all []engine.Session) {
	for i := range 50 {
		s := engine.Session{Status: []engine.Status{engine.Idle, engine.Working, engine.Waiting, engine.Asleep, engine.Approval}[i%5], Title: "Fix the login", Asks: "Bash: npm test"}
		s.Project = fmt.Sprintf("app%d", i)
		all = append(all, s)
	}
	return all
}

// able lets p have every verb, and something for those that are not about sessions.
func able(p Prefs) Prefs {
	p.Can = map[string]bool{}
	for _, e := range slices.Concat(verbs, settings) {
		p.Can[e.verb] = true
	}
	if p.Recent == nil {
		p.Recent = []string{"/home/dev/app", "/home/dev/web/api", "/home/dev/api", "/home/dev/app", "/", `C:\Users\dev\shop`}
	}
	p.Hooks = []Hook{
		{Tool: "claude", Title: "Claude Code", State: "installed", Do: "uninstall"},
		{Tool: "codex", Title: "Codex", State: "not installed", Do: "install"},
		{Tool: "cursor", Title: "Cursor", State: "has none"},
	}
	return p
}

func repeat(n int, s engine.Session) []engine.Session { return slices.Repeat([]engine.Session{s}, n) }

func TestMenus(t *testing.T) {
	type S = engine.Session
	for _, c := range []struct {
		name  string
		s     engine.Snapshot
		prefs Prefs
	}{
		{"none", cards(), Prefs{}},
		{"only_ended", cards(S{Status: engine.Ended, Project: "app"}, S{Status: engine.Unknown, Project: "app"}), Prefs{}},
		{"one", cards(S{Status: engine.Working, Project: "web", Title: "Add dark mode"}), Prefs{}},
		{"design", cards(
			S{Status: engine.Asleep, Project: "infra"},
			S{Status: engine.Idle, Project: "docs"},
			S{Status: engine.Working, Project: "web", Title: "Add dark mode", Agents: []engine.Agent{{Status: "running"}, {Status: "running"}, {Status: "done"}}},
			S{Status: engine.Waiting, Project: "api", Title: "api: Fix the login", Prefs: engine.Prefs{Room: "backend"}},
			S{Status: engine.Approval, Project: "app", Asks: "Bash: npm test"},
		), Prefs{}},
		{"statuses", cards(
			S{Status: engine.Ended, Project: "old"},
			S{Status: engine.Asleep, Project: "infra"},
			S{Status: engine.Idle, Project: "docs", Title: "Write the guide"},
			S{Status: engine.Idle, Project: "ci", Title: "Speed up the build", Unseen: true},
			S{Status: engine.Connecting, Project: "new"},
			S{Status: engine.Prompting, Project: "cli", Title: "Colours"},
			S{Status: engine.Working, Project: "web", Title: "Add dark mode", Shells: 1, Agents: []engine.Agent{{Status: "running"}}},
			S{Status: engine.Waiting, Project: "api", Title: "Fix the login"},
			S{Status: engine.Waiting, Project: "api", Title: "Fix the login", Trouble: engine.RateLimit},
			S{Status: engine.Waiting, Project: "db", Trouble: "solar flare"},
			S{Status: engine.Input, Project: "shop", Asks: "Which currency?", AsksOpen: 3},
			S{Status: engine.Approval, Project: "app", Asks: "Bash: npm test"},
		), Prefs{}},
		{"pinned", cards(
			S{Status: engine.Approval, Project: "app", Asks: "Bash: npm test"},
			S{Status: engine.Idle, Project: "docs", Prefs: engine.Prefs{Pinned: true}},
			S{Status: engine.Ended, Project: "old", Prefs: engine.Prefs{Pinned: true}},
			S{Status: engine.Waiting, Project: "api", Prefs: engine.Prefs{Pinned: true}},
		), Prefs{}},
		{"guesses", cards(
			S{Status: engine.Approval, Project: "app", Asks: "Bash: npm test", Guess: true, Reports: true},
			S{Status: engine.Input, Project: "web", Asks: "Which one?", Guess: true},
			S{Status: engine.Waiting, Project: "api", Title: "Fix the login", Guess: true, Reports: true},
			S{Status: engine.Working, Project: "cli", Guess: true},
		), Prefs{}},
		{"quiet_guess_alone", cards(
			S{Status: engine.Approval, Project: "app", Asks: "Bash: npm test", Guess: true, Reports: true},
		), Prefs{}},
		{"loud_guesses", cards(
			S{Status: engine.Approval, Project: "app", Asks: "Bash: npm test", Guess: true, Reports: true},
			S{Status: engine.Waiting, Project: "api"},
		), Prefs{LoudGuesses: true}},
		{"sub_agents", cards(
			S{Status: engine.Approval, Project: "app", Asks: "WebFetch example.org", AsksBy: "Explore", AsksOpen: 1, Agents: []engine.Agent{{Status: "running"}}},
			S{Status: engine.Input, Project: "web", Asks: "Delete it?", AsksBy: "Plan", AsksOpen: 2},
		), Prefs{}},
		{"same_project", cards(
			S{Status: engine.Waiting, Project: "app", Title: "app: Fix the login", Dir: "/a/app"},
			S{Status: engine.Waiting, Project: "app", Title: "Add dark mode", Dir: "/b/app"},
			S{Status: engine.Working, Project: "app", Title: "app #2: Clean up"},
			S{Status: engine.Idle, Project: "app"},
			S{Status: engine.Idle, Dir: "/c/app"},
			S{Status: engine.Idle, Project: "apple", Title: "apple pie"},
			S{Status: engine.Idle, Project: "lone", Title: "lone #7: Last of its kind"},
		), Prefs{}},
		{"long", cards(
			S{Status: engine.Working, Project: "web", Title: "Rewrite the whole of the accounting in a language nobody knows", Agents: []engine.Agent{{Status: "running"}}},
			S{Status: engine.Waiting, Project: "a-project-with-quite-an-unreasonable-name", Title: "Rewrite the whole of the accounting", Prefs: engine.Prefs{Room: "backend"}},
			S{Status: engine.Approval, Project: "app", Title: "not shown", Asks: "Bash: find . -name '*.go' -newer go.mod | xargs gofmt -l"},
			S{Status: engine.Approval, Project: "app", Asks: "Bash: " + strings.Repeat("echo all work and no play; ", 40)},
			S{Status: engine.Idle, Project: "docs", Title: strings.Repeat("e\u0301", 60)},
			S{Status: engine.Idle, Project: "emoji", Title: strings.Repeat("👩\u200d👩\u200d👧 ", 12)},
		), Prefs{}},
		{"foreign", cards(
			S{Status: engine.Waiting, Project: "ivrit", Title: "תקן את הכניסה למערכת"},
			S{Status: engine.Waiting, Project: "مشروع", Title: "أصلح تسجيل الدخول"},
			S{Status: engine.Waiting, Project: "nihon", Title: "ログインを直す"},
			S{Status: engine.Idle, Project: "evil", Title: "a\nb\tc\x00d\x1b[31m\u202eexe.txt\u2029\xffz   &copy; _x_ <b>"},
			S{Status: engine.Approval, Project: "evil\n2", Asks: "Bash: rm \u2066-rf\r\n/"},
		), Prefs{}},
		{"days", cards(
			S{Status: engine.Waiting, Project: "today", Since: noon.Add(-11 * time.Hour)},
			S{Status: engine.Waiting, Project: "yesterday", Since: noon.Add(-13 * time.Hour)},
			S{Status: engine.Waiting, Project: "long-ago", Since: noon.Add(-20 * 24 * time.Hour)},
		), Prefs{}},
		{"zone", cards(S{Status: engine.Waiting, Project: "app"}), Prefs{Zone: time.FixedZone("NPT", 5*3600+45*60)}},
		{"notes", cards(S{Status: engine.Working, Project: "app"}), Prefs{AllMuted: true, Notes: []string{
			"config error: config.toml line 3, notify.kinds:\nno such kind", "hooks of claude point to nothing", "three", "four", "five"}}},
		{"fifty", cards(fifty()...), Prefs{}},
		{"label", cards(
			S{Status: engine.Waiting, Project: "app", Title: "Fix it", Prefs: engine.Prefs{Label: &engine.Label{Name: "HEAVY"}, Room: "backend"}},
			S{Status: engine.Idle, Project: "web", Prefs: engine.Prefs{Label: &engine.Label{Name: "a label nobody would want to read"}}},
		), Prefs{}},
		{"memory", cards(S{Status: engine.Working, Project: "app"}), Prefs{Memory: 1_449_000_000}},
		{"verbs", cards(
			S{Status: engine.Ended, Project: "web", Title: "Add dark mode", Resumable: true},
			S{Status: engine.Asleep, Project: "infra", Resumable: true},
			S{Status: engine.Idle, Project: "docs", Title: "docs #2: Write the guide", Resumable: true},
			S{Status: engine.Idle, Project: "docs", Title: "docs #1: Read the guide", Resumable: true, Shells: 1},
			S{Status: engine.Working, Project: "web", Title: "Add a logo", Resumable: true, Prefs: engine.Prefs{Muted: true}},
			S{Status: engine.Waiting, Project: "api", Title: "Fix the login", Resumable: true, Prefs: engine.Prefs{Alert: true}},
			S{Status: engine.Approval, Project: "app", Asks: "Bash: npm test", Resumable: true, Prefs: engine.Prefs{Pinned: true}},
		), able(Prefs{Memory: 950e6})},
		{"verbs_none", cards(), able(Prefs{Recent: []string{"", "/"}})},
		{"verbs_some", cards(S{Status: engine.Idle, Project: "app"}), Prefs{Can: map[string]bool{Mute: true, Pin: true, Settings: true}}},
		{"verbs_fifty", cards(fifty()...), Prefs{Can: map[string]bool{Alert: true, Mute: true}}},
		{"verbs_foreign", cards(
			S{Status: engine.Asleep, Project: "מערכת", Title: "תקן את הכניסה למערכת"},
			S{Status: engine.Waiting, Project: "مشروع", Title: "أصلح تسجيل الدخول"},
			S{Status: engine.Idle, Project: "long", Title: strings.Repeat("e\u0301", 60)},
			S{Status: engine.Idle, Project: "evil\n2", Title: "a\x00\u202eexe.txt _x_ & <b>"},
		), Prefs{Can: map[string]bool{Pin: true, Resume: true, Begin: true}, Recent: []string{"/home/dev/מערכת", `C:\Users\dev\a_b`, "/x/" + strings.Repeat("long", 20)}}},
		{"all_muted", cards(S{Status: engine.Working, Project: "app"}), able(Prefs{AllMuted: true, MutedUntil: noon.Add(21 * time.Hour)})},
		{"all_muted_for_good", cards(S{Status: engine.Approval, Project: "app"}), Prefs{AllMuted: true, Can: map[string]bool{Mute: true}}},
		{"each_muted", cards(
			S{Status: engine.Working, Project: "app", Prefs: engine.Prefs{Muted: true}},
			S{Status: engine.Idle, Project: "web", Prefs: engine.Prefs{Muted: true, Alert: true, Room: "backend", Pinned: true}},
			S{Status: engine.Ended, Project: "old", Prefs: engine.Prefs{Pinned: true}},
		), Prefs{Can: map[string]bool{Mute: true, Alert: true, Pin: true}}},
		{"resume", cards(slices.Concat(
			repeat(7, S{Status: engine.Ended, Project: "app", Resumable: true}),
			repeat(1, S{Status: engine.Ended, Project: "yesterday", Resumable: true, Since: noon.Add(-24*time.Hour + time.Second)}),
			repeat(1, S{Status: engine.Ended, Project: "too-old", Resumable: true, Since: noon.Add(-24 * time.Hour)}),
			repeat(1, S{Status: engine.Ended, Project: "lost"}),
			repeat(3, S{Status: engine.Asleep, Project: "app", Title: "app #2: Sleeps", Resumable: true}),
			repeat(2, S{Status: engine.Idle, Project: "app"}),
		)...), Prefs{Can: map[string]bool{Resume: true}}},
		{"set", cards(), Prefs{Can: able(Prefs{}).Can, MinTurn: 90 * time.Second, IdleTime: 45 * time.Minute}},
		{"set_never", cards(), Prefs{Can: able(Prefs{}).Can, NoTurns: true, IdleTime: time.Hour}},
		{"peer", cards(S{Status: engine.Waiting, Project: "app", Title: "Fix the login", Peer: "box"}), Prefs{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.prefs.Zone == nil {
				c.prefs.Zone = time.UTC
			}
			got := plain(Build(c.s, c.prefs))
			file := filepath.Join("testdata", c.name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

var kinds = [...]string{None: "none", Quiet: "quiet", Busy: "busy", Needs: "needs you"}

// plain writes a menu as text, a row a line.
func plain(m Menu) string {
	var b strings.Builder
	fmt.Fprintf(&b, "icon %s", kinds[m.Icon.Kind])
	if m.Icon.Kind == Needs {
		fmt.Fprintf(&b, " %v %d", m.Icon.Status, m.Icon.Count)
	}
	if m.Icon.Muted {
		b.WriteString(" muted")
	}
	if m.Icon.Wrong {
		b.WriteString(" wrong")
	}
	fmt.Fprintf(&b, "\ntip  %s\ntext %s\n\n", m.Icon.Tip, m.Icon.Text)
	plainItems(&b, m.Items, "")
	return strings.NewReplacer("\u2068", "⟪", "\u2069", "⟫", " \n", "\n").Replace(b.String())
}

func plainItems(b *strings.Builder, items []Item, indent string) {
	for _, i := range items {
		act := strings.Join(strings.Fields(i.Act.Verb+" "+string(i.Act.Session)+" "+i.Act.Arg), " ")
		if i.Sub {
			act = "+"
		}
		if i.Off {
			act = "-"
		}
		if i.Rule {
			b.WriteString(indent + "--------\n")
			continue
		}
		fmt.Fprintf(b, "%s%-8s %s\n", indent, act, i.Title)
		plainItems(b, i.Under, indent+"  ")
	}
}

func TestNumbersStayWhenTheOldestEnds(t *testing.T) {
	two := cards(engine.Session{Project: "app", Status: engine.Idle, Title: "app: one"}, engine.Session{Project: "app", Status: engine.Idle, Title: "app #2: two"})
	two.Sessions = two.Sessions[1:]
	if n := numbers(two.Sessions)["s2"]; n != 2 {
		t.Errorf("got #%d, want #2", n)
	}
}
