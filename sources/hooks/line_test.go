package hooks

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLine plays callers: "a" joins, "A3" is a speaking as of 3 ms, "a-" is a leaving
// without a word, "+1" lets a ms pass. "=" is followed by what is told, and when to
// come again.
func TestLine(t *testing.T) {
	start := time.Unix(1000, 0)
	for _, c := range []struct{ name, play string }{
		{"at once", "a A1 =A"},
		{"two", "a A1 b B2 =A,B"},
		{"in the order of their start", "a A2 b B1 =B,A"},
		{"at one moment, in the order of their call", "a A1 b B1 =A,B"},
		{"the first is waited for", "a b B2 =@2 +1 =@2 A1 =A,B"},
		{"not for long", "a b B2 =@2 +2 =B"},
		{"who was overtaken comes late", "a b B2 +2 =B A1 =A"},
		{"and holds up nobody", "a b B2 +2 =B c C3 =C A1 =A"},
		{"who says nothing holds up nobody", "a b B2 a- =B"},
		{"a crowd of the silent", "a b c d D4 +2 =D"},
		{"the window is each caller's own", "a +1 b c C3 +1 =@3 +1 =C"},
		{"nobody", "="},
		{"gone late", "a +3 = a- ="},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l line
			now := start
			callers := map[string]*caller{}
			for _, step := range strings.Fields(c.play) {
				var ms int
				who := strings.ToLower(step[:1])
				switch n, _ := fmt.Sscanf(step[1:], "%d", &ms); {
				case step[0] == '+':
					now = now.Add(time.Duration(ms) * time.Millisecond)
				case step[0] == '=':
					out, again := l.next(now)
					if got := show(out, again, start); got != step {
						t.Fatalf("after %v: got %s, want %s", now.Sub(start), got, step)
					}
				case strings.HasSuffix(step, "-"):
					l.spoke(callers[who], nil)
				case n == 1:
					l.spoke(callers[who], &arrived{tool: step[:1], began: int64(ms)})
				default:
					callers[who] = l.join(now)
				}
			}
		})
	}
}

func show(out []arrived, again, start time.Time) string {
	var names []string
	for _, a := range out {
		names = append(names, a.tool)
	}
	text := "=" + strings.Join(names, ",")
	if !again.IsZero() {
		text += fmt.Sprint("@", again.Sub(start).Milliseconds())
	}
	return text
}
