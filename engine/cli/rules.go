package cli

import (
	"fmt"
	"strings"

	"deskbell/engine"
)

type rulesCmd struct {
	Facts bool `help:"List the facts that the rules rest on, as records have them."`
}

// Help is shown below the usage.
func (rulesCmd) Help() string {
	return "The rules are read from the top; of those that speak about a session the surest decides. The lengths are the defaults of [limits] in the configuration."
}

// Run prints the table of rules, or the vocabulary.
func (r rulesCmd) Run(in Env) error {
	lines := rulebook(engine.Rules(), engine.DefaultLimits())
	if r.Facts {
		lines = facts(engine.Vocabulary(), engine.WhoFields(), engine.Witnesses())
	}
	return put(in.Stdout, []byte(strings.Join(lines, "\n")))
}

// rulebook lays the rules out in columns under their headings.
func rulebook(rules []engine.Rule, l engine.Limits) []string {
	rows := [][]string{{"RULE", "WEIGHT", "SAYS", "AFTER", "FOR", "BECAUSE"}}
	for _, r := range rules {
		rows = append(rows, []string{r.Name, r.Weight.String(), r.Says.String(), limit(r.After, l), limit(r.For, l), r.Why})
	}
	return aligned(rows)
}

// aligned lays rows out in columns. What is longer than the rest of its column does not
// push the others apart where nothing follows it.
func aligned(rows [][]string) (lines []string) {
	widths := make([]int, len(rows[0]))
	for _, cells := range rows {
		for i, c := range cells[:len(cells)-1] {
			widths[i] = max(widths[i], width(c))
		}
	}
	for _, cells := range rows {
		var b strings.Builder
		for i, c := range cells {
			b.WriteString(pad(c, widths[i]) + gap)
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}

// limit tells a limit by its name and length, and one that is none as nothing.
func limit(l engine.Limit, of engine.Limits) string {
	if l == engine.Always {
		return ""
	}
	d := of[l].String()
	for _, zero := range []string{"m0s", "h0m"} { // 24h0m0s is 24h
		if strings.HasSuffix(d, zero) {
			d = d[:len(d)-2]
		}
	}
	return fmt.Sprint(l, " ", d)
}
