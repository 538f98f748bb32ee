package config

import (
	"bytes"
	"errors"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// syntax is the problem of a text that is no TOML.
func (p *parse) syntax(text []byte, err error) Problem {
	out := Problem{File: p.file, Text: strings.TrimPrefix(err.Error(), "toml: ")}
	var at *toml.DecodeError
	if !errors.As(err, &at) {
		return out
	}
	out.Line, _ = at.Position()
	names, whole := keyAt(text, out.Line)
	out.Key = strings.Join(names, ".")
	switch {
	case whole:
	case strings.Contains(out.Text, "escape"):
		out.Text += `; what has a \ in it goes between single quotes`
	case len(names) > 1:
		if s, _ := p.section(names[:len(names)-1]); s != nil && s.find(names[len(names)-1]) != nil {
			out.Text += "; it wants " + s.find(names[len(names)-1]).take.wants
		}
	}
	return out
}

var bareKey = regexp.MustCompile(`^\s*([A-Za-z0-9_-]+)\s*=`)

// keyAt is the key that is set on a line, or else the section the line belongs to. It is
// whole where nothing is wrong with the form up to there.
func keyAt(text []byte, line int) (names []string, whole bool) {
	var u unstable.Parser
	u.Reset(text)
	var at []string
	for u.NextExpression() {
		e := u.Expression()
		if e.Kind == unstable.Comment {
			continue
		}
		names, on := keyOf(&u, e.Key())
		if e.Kind != unstable.KeyValue {
			at, names = names, nil
		}
		if on >= line {
			return append(at, names...), true
		}
	}
	lines := bytes.Split(text, []byte("\n"))
	if m := bareKey.FindSubmatch(lines[min(max(line, 1), len(lines))-1]); m != nil {
		at = append(at, string(m[1]))
	}
	return at, false
}
