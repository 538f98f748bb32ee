package notify

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/engine/script"
)

// follow plays a script of the engine with a planner behind it, and gives what became of
// the notices: when, what, whose and of which kind. Check sees the planner after each
// step.
func follow(t *testing.T, text string, prefs Prefs, check func(now time.Time, p *Planner, up map[engine.ID]Notice)) (out []string) {
	t.Helper()
	var p Planner
	var next time.Time
	up := map[engine.ID]Notice{}
	apply := func(now time.Time, changes []engine.Transition) {
		var raise []Notice
		var withdraw []engine.ID
		raise, withdraw, next = p.Apply(now, changes, prefs)
		at := now.Sub(script.Start).Seconds()
		for _, id := range withdraw {
			out = append(out, fmt.Sprintf("%g withdraw %s", at, id))
			delete(up, id)
		}
		for _, n := range raise {
			up[n.ID] = n
			if !n.Silent {
				out = append(out, fmt.Sprintf("%g raise %s %s", at, n.ID, n.Kind))
			}
		}
		if check != nil {
			check(now, &p, up)
		}
	}
	until := func(now time.Time) {
		for !next.IsZero() && next.Before(now) {
			apply(next, nil)
		}
	}
	end, err := script.Follow(text, func(now time.Time, step engine.Step) {
		until(now)
		p.Gone(step.Gone...)
		apply(now, step.Changes)
	})
	if err != nil {
		t.Fatal(err)
	}
	until(end.Add(time.Minute))
	return out
}

// What SPEC says of notices, from the fact to the notice.
func TestFromFacts(t *testing.T) {
	const idle = "a listed idle pid=41 dir=/w/app\n- alive pid=41\n"
	const turn = "+5s a listed busy\na prompt\na wrote\n"
	const busy = idle + turn
	const done = busy + "+9s a reply\na finish\na listed idle\n+2s\n"
	const told = "14.72 raise s1 waiting" // a listing is believed to be idle after 120 ms
	for _, c := range []struct{ says, script, want string }{
		{"Raised on a transition into waiting …", done, told},
		{"… approval …", busy + "+1s a call slow id=c1 name=Bash\na ask key=K name=Bash\n+300ms\n+1s a listed asking\n+9s", "6.3 raise s1 approval"},
		{"… or input; once per event whichever witnesses told it",
			busy + "+1s a ask question key=K name=AskUserQuestion\n+400ms a listed question\n+6s a ask late key=L\n+9s", "6.3 raise s1 input"},
		{"auto-review answers within 90 ms (C24)", busy + "+1s a call slow id=c1\na ask key=K\n+90ms a answered key=K\n+9s", ""},
		{"withdrawn when its session stops needing you, wherever it was answered (C25)",
			busy + "+1s a call slow id=c1\na ask key=K\na listed asking\n+2s a listed busy\n+9s", "6.3 raise s1 approval, 8 withdraw s1"},
		{"Nothing for your own Esc", busy + "+3s a finish interrupted\n+130ms a listed idle\n+9s", ""},
		{"… Esc of which only the listing tells", busy + "+3s a listed idle\n+9s", ""},
		{"… \"No\"", busy + "+1s a call slow id=c1\na ask key=K\na listed asking\n+2s a listed idle\n+10ms a result c1\na finish interrupted\n+9s",
			"6.3 raise s1 approval, 8.01 withdraw s1"},
		{"… `/clear`", busy + "+9s a reply\na finish\na listed idle\n+200ms a listed busy pid=41\n+7ms b listed busy pid=41\n+45ms b listed idle pid=41\n+9s", ""},
		{"… `/compact` after a turn", done + "+1m a listed busy\n+5s a compact done\na listed idle\n+9s", told + ", 76.05 withdraw s1"},
		{"… `/compact` by hook", done + "+1m a compact by=hook\n+5s a compact by=hook done\n+9s", told + ", 76 withdraw s1"},
		{"… `/compact` from idle", idle + "+1m a compact by=hook\n+5s a compact by=hook done\n+9s", ""},
		{"… `!` command, of which only the listing tells", done + "+1h a listed busy\n+5s a listed idle\n+9s", told + ", 314.12 withdraw s1"},
		{"… stop", busy + "+1s a gone\n+9s", ""},
		{"… stop of one that waits", done + "+1s a end\n+9s", told + ", 17 withdraw s1"},
		{"one \"your turn\" per human prompt: wake-ups and task notifications notify only …",
			done + "+1m a listed busy\na prompt machine\na wrote\n+5s a reply\na finish\na listed idle\n+9s", told + ", 76.05 withdraw s1"},
		{"… trouble", done + "+1m a listed busy\na prompt machine\na wrote\n+5s a reply\na finish rate_limit\na listed idle\n+9s",
			told + ", 76.05 withdraw s1, 81.72 raise s1 waiting"},
		{"approvals settle 3 s where somebody else's hook is in the settings",
			idle + "a answers\n" + turn + "+1s a call slow id=c1\na ask key=K\n+9s", "9 raise s1 approval"},
		{"in permission mode `auto` a hook alone never rings",
			busy + "a trust calls program\n+1s a call slow id=c1\na ask key=K\n+9s", ""},
		{"… the session file must confirm",
			busy + "a trust calls program\n+1s a call slow id=c1\na ask key=K\n+2s a listed asking\n+9s", "8 raise s1 approval"},
		{"a queued prompt starts the next", busy + "+9s a reply\na finish\n+20ms a prompt\na wrote\n+9s", ""},
		{"First sight at start is silent", "a listed busy pid=41\n- alive pid=41\na prompt at=-1m\na reply at=-2s\na finish at=-2s\na listed idle at=-2s\n+9s", ""},
		{"… one summary when dialogs are open", "a listed asking pid=41 dir=/w/app at=-1m\n- alive pid=41\nb listed question pid=42 dir=/w/api at=-2m\n- alive pid=42\n+9s",
			"0.3 raise several several"},
	} {
		t.Run(c.says, func(t *testing.T) {
			got := strings.Join(follow(t, c.script, Prefs{Zone: time.UTC}, nil), ", ")
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// In no scenario of the engine anything is on the screen that does not need you, that
// was told twice, or of which cannot be said why.
func TestEngineScenarios(t *testing.T) {
	files, err := filepath.Glob("../engine/testdata/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatal("no scenarios", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			follow(t, string(text), Prefs{Zone: time.UTC}, func(now time.Time, p *Planner, up map[engine.ID]Notice) {
				shown := map[engine.ID]bool{}
				for _, n := range up {
					for _, id := range n.IDs {
						c := p.cards[id]
						if shown[id] || c == nil || !c.s.Status.NeedsYou() || c.s.Loud == engine.Silent && !c.told {
							t.Fatalf("at %v: %+v is up", now.Sub(script.Start), n)
						}
						shown[id] = true
						if state, why, at := p.State(id); state == Withdrawn || why == "" || at.After(now) {
							t.Fatalf("at %v: %s is %s, %q", now.Sub(script.Start), id, state, why)
						}
					}
				}
				for _, c := range p.list {
					if state, why, _ := p.State(c.s.ID); c.s.Status.NeedsYou() && (state == "" || why == "") {
						t.Fatalf("at %v: why %s is not told nobody says", now.Sub(script.Start), c.s.ID)
					}
				}
				if !slices.ContainsFunc(p.list, func(c *card) bool { return c.place != nowhere }) && len(up) > 0 {
					t.Fatalf("at %v: %v is up", now.Sub(script.Start), up)
				}
			})
		})
	}
}
