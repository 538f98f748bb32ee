package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// marks are what editors on Windows put before a text. The parser passes over them, too.
var marks = []string{"\ufeff", "\xff\xfe", "\xfe\xff"}

// Parse reads the text of a file. With problems nothing in it holds: the values are
// then the defaults.
func Parse(file string, text []byte, w World) (Config, []Problem) {
	p, t := newParse(file, w), string(text)
	for _, m := range marks {
		if rest, marked := strings.CutPrefix(t, m); marked {
			t = rest
			break
		}
	}
	// What the parser has taken is whole, and names nothing twice.
	var all map[string]any
	if _, err := toml.Decode(t, &all); err != nil {
		p.problems = append(p.problems, p.syntax(t, err))
	} else {
		p.walk(t)
		p.settle()
	}
	if len(p.problems) > 0 {
		slices.SortStableFunc(p.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
		return newParse(file, w).done(), p.problems
	}
	return p.done(), nil
}

// parse is a file being read.
type parse struct {
	file     string
	w        World
	c        Config
	tools    map[string]*Tool
	rules    []*block
	known    map[string]bool // sections that were told to be unknown
	set      map[setting]string
	problems []Problem
}

// block is one of [[rules]]. It is read when the rest has been: what it leaves out is as
// there.
type block struct {
	line int
	keys []assigned
}

type assigned struct {
	*key
	value
}

// setting is a key of a section, or of one of several.
type setting struct {
	target any
	key    *key
}

// newParse returns one that has read nothing: the defaults.
func newParse(file string, w World) *parse {
	p := &parse{file: file, w: w, tools: map[string]*Tool{}, known: map[string]bool{}, set: map[setting]string{}}
	for _, name := range w.Tools {
		p.tools[name] = new(Tool)
	}
	for i := range table {
		s := &table[i]
		targets := []any{&p.c}
		switch s.name {
		case rules:
			continue
		case tools:
			targets = nil
			for _, t := range p.tools {
				targets = append(targets, t)
			}
		}
		for k := range s.keys {
			for _, target := range targets {
				if err := s.keys[k].take.into(target, literal(s.keys[k].value), &p.w); err != nil {
					p.problem(0, s.name+"."+s.keys[k].name, "the default: %v", err)
				}
			}
		}
	}
	return p
}

// literal is the value of a default.
func literal(text string) value {
	n := newScanner(text).value()
	return n.read()
}

func (p *parse) done() Config {
	p.c.Tools = make(map[string]Tool, len(p.tools))
	for name, t := range p.tools {
		p.c.Tools[name] = *t
	}
	return p.c
}

func (p *parse) problem(line int, key, format string, args ...any) {
	p.problems = append(p.problems, Problem{p.file, line, key, fmt.Sprintf(format, args...)})
}

// walk takes in what is written, in the order of the file.
func (p *parse) walk(text string) {
	s := newScanner(text)
	var at []string
	for st, ok := s.next(); ok; st, ok = s.next() {
		if !st.heading {
			p.assign(at, &st)
			continue
		}
		at = names(st.key)
		p.open(at, st.line, st.many)
	}
}

// assign takes in a key below at. A table in braces is as good as one under a heading.
func (p *parse) assign(at []string, st *statement) {
	key, v := slices.Concat(at, names(st.key)), st.value.read()
	switch {
	case v.form == aTable && (len(key) == 1 || key[0] == tools):
		if p.open(key, st.line, false) {
			p.within(key, &st.value)
		}
	case v.form == aList && len(key) == 1 && key[0] == rules:
		for i := range st.value.items {
			item := &st.value.items[i]
			if v.items[i].form != aTable {
				p.problem(item.line, rules, "a rule is a table: write it under [[rules]]")
				continue
			}
			p.open(key, item.line, true)
			p.within(key, item)
		}
	default:
		p.put(key, st.line, v)
	}
}

// within takes in what a table in braces has.
func (p *parse) within(at []string, n *node) {
	for i := range n.keys {
		p.assign(at, &n.keys[i])
	}
}

// put gives a key its value.
func (p *parse) put(names []string, line int, v value) {
	full := strings.Join(names, ".")
	at, name := names[:len(names)-1], names[len(names)-1]
	if len(at) == 0 {
		p.stray(name, line)
		return
	}
	s, target := p.section(at)
	if s == nil {
		p.open(at, line, false)
		return
	}
	k := s.find(name)
	if k == nil {
		p.problem(line, full, "there is no such key%s", p.hint(s, name))
		return
	}
	if other, twice := p.set[setting{target, k}]; twice {
		p.problem(line, full, "it is the same as %s, which is set already: keep one of them", other)
		return
	}
	p.set[setting{target, k}] = name
	if b, is := target.(*block); is {
		b.keys = append(b.keys, assigned{k, v})
		return
	}
	p.take(k, full, target, v)
}

func (p *parse) take(k *key, full string, target any, v value) {
	err := k.take.into(target, v, &p.w)
	var w wrong
	if errors.As(err, &w) {
		p.problem(cmp.Or(w.line, v.line), full, "%s", w.why)
	}
}

// settle reads the rules.
func (p *parse) settle() {
	for _, b := range p.rules {
		r := p.c.Notify.rule()
		before := len(p.problems)
		for _, a := range b.keys {
			p.take(a.key, rules+"."+a.name, &r, a.value)
		}
		switch {
		case len(p.problems) > before:
		case r.Dir.Text == "":
			p.problem(b.line, rules, `it does not say for which folder: dir = "~/work"`)
		case r.Mute && r.Alert:
			p.problem(b.line, rules, "mute and alert exclude each other: keep one of them")
		}
		p.c.Rules = append(p.c.Rules, r)
	}
}
