package cli

import (
	"strings"

	"deskbell/engine"
)

// facts lays out the vocabulary of records: each fact with its fields below it.
func facts(verbs []engine.Verb, who []engine.Field, witnesses []string) []string {
	rows := [][]string{{"FACT", "HOLDS", "MEANS"}}
	for _, v := range verbs {
		rows = append(rows, []string{v.Name, "", v.Means})
		rows = append(rows, fields(v.Fields)...)
	}
	lines := aligned(append(append(rows, []string{`"who"`, "", "whom it is about; any part may be missing"}), fields(who)...))
	return append(lines, `"by"  who saw it: `+strings.Join(witnesses, ", "))
}

func fields(of []engine.Field) (rows [][]string) {
	for _, f := range of {
		rows = append(rows, []string{"  " + f.Name, f.Kind})
	}
	return rows
}
