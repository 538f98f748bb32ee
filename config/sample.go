package config

import (
	"fmt"
	"strings"
)

const preamble = `# The configuration of deskbell: every key, with its default. Take away the # before those
# you want to be different. Saving is enough; "at the next start" is said where it is not.
# Durations are such as "300ms", "45s" or "1h30m". A file with a mistake changes nothing:
# the menu and ` + "`deskbell config --check`" + ` tell the line.
`

// Sample is a file with every key, its default and what it does. Comments begin with
// "# ", keys that are switched off with "#" alone.
func Sample(w World) string {
	var b strings.Builder
	b.WriteString(preamble)
	for i := range table {
		s := &table[i]
		names := []string{s.name}
		if s.name == tools {
			names = nil
			for _, tool := range w.Tools {
				names = append(names, tools+"."+tool)
			}
		}
		for n, name := range names {
			b.WriteString("\n")
			if n == 0 && s.says != "" {
				comment(&b, s.says)
			}
			if s.name == rules {
				fmt.Fprintf(&b, "#[[%s]]\n", name)
			} else {
				fmt.Fprintf(&b, "[%s]\n", name)
			}
			for _, k := range s.keys {
				k.sample(&b, name)
			}
		}
	}
	return b.String()
}

// sample writes the lines of a key.
func (k *key) sample(b *strings.Builder, section string) {
	says, value := k.says, k.value
	if len(k.take.words) > 0 {
		says += " (" + oneOf(k.take.words) + ")"
	}
	model := strings.ReplaceAll(k.model, "%s", strings.TrimPrefix(section, tools+"."))
	switch {
	case value == "":
		value = model
	case model != "":
		says += ", such as " + model
	}
	if k.late {
		says += "; at the next start"
	}
	comment(b, says)
	fmt.Fprintf(b, "#%s = %s\n", k.name, value)
}

// wide is how long a line of the sample may be.
const wide = 100

func comment(b *strings.Builder, text string) {
	line := "#"
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > wide {
			b.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}
