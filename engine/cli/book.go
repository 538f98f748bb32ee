package cli

import (
	"fmt"
	"strings"

	"deskbell/engine"
)

// statuses are those a rule may say, in the order in which a reader wants them.
var statuses = []engine.Status{
	engine.Approval, engine.Input, engine.Waiting, engine.Working, engine.Prompting, engine.Connecting, engine.Idle, engine.Ended,
}

// statusTable is the rule book for the README: by status and weight what may decide it.
func statusTable(rules []engine.Rule, l engine.Limits) string {
	var b strings.Builder
	b.WriteString("| status | how sure | because |\n|---|---|---|\n")
	for _, s := range statuses {
		shown := s.String()
		for w := engine.Certain; w <= engine.Inferred; w++ {
			if why := reasons(rules, l, s, w); why != nil {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", shown, w, strings.Join(why, "<br>"))
				shown = ""
			}
		}
	}
	return b.String()
}

// reasons are what may decide a status at a weight, each once.
func reasons(rules []engine.Rule, l engine.Limits, s engine.Status, w engine.Weight) (out []string) {
	said := map[string]bool{}
	for _, r := range rules {
		if r.Says != s || r.Weight != w || said[r.Why] {
			continue
		}
		said[r.Why] = true
		var when []string
		if r.After != engine.Always {
			when = append(when, "after "+brief(r.After, l))
		}
		if r.For != engine.Always {
			when = append(when, "for "+brief(r.For, l))
		}
		text := r.Why
		if when != nil {
			text += " (" + strings.Join(when, ", ") + ")"
		}
		out = append(out, text)
	}
	return out
}

// brief is the length of a limit without its name.
func brief(l engine.Limit, of engine.Limits) string {
	_, length, _ := strings.Cut(limit(l, of), " ")
	return length
}
