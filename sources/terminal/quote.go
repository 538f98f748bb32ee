package terminal

import (
	"regexp"
	"strings"
)

var plain = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,-]+$`)

// quoted is a command line to be copied into a shell.
func quoted(argv ...string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		if words[i] = word; !plain.MatchString(word) {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
