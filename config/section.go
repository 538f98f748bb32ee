package config

import (
	"cmp"
	"fmt"
	"strings"
)

// section finds where the keys below names belong: the section and what they are put
// into. nil: nowhere.
func (p *parse) section(names []string) (*section, any) {
	switch {
	case len(names) == 2 && names[0] == tools && p.tools[names[1]] != nil:
		return part(tools), p.tools[names[1]]
	case len(names) != 1 || names[0] == tools:
		return nil, nil
	case names[0] == rules:
		if len(p.rules) == 0 {
			return nil, nil
		}
		return part(rules), p.rules[len(p.rules)-1]
	}
	if s := part(names[0]); s != nil {
		return s, &p.c
	}
	return nil, nil
}

// open begins a section, one of many if so written. It reports whether there is one of
// that name; if not that is told, once.
func (p *parse) open(names []string, line int, many bool) bool {
	name := strings.Join(names, ".")
	switch {
	case name == rules && many:
		p.rules = append(p.rules, &block{line: line})
		return true
	case name == rules:
		p.once(line, name, "write [[rules]], once for each folder")
	case name == tools && !many:
		return true // of no use, and no harm
	case many && (part(name) != nil || names[0] == tools):
		p.once(line, name, fmt.Sprintf("write [%s]: there can only be one", name))
	case names[0] == tools && len(names) == 2:
		if p.tools[names[1]] != nil {
			return true
		}
		p.once(line, name, "there is no such tool"+cmp.Or(meant(names[1], p.w.Tools), "; known: "+strings.Join(p.w.Tools, ", ")))
	case part(name) != nil:
		return true
	default:
		p.once(line, name, "there is no such section"+cmp.Or(meant(name, sections()), lists))
	}
	return false
}

// once tells a problem of a section.
func (p *parse) once(line int, name, text string) {
	if !p.known[name] {
		p.known[name] = true
		p.problem(line, name, "%s", text)
	}
}

// sections are the names of all sections.
func sections() (out []string) {
	for _, s := range table {
		out = append(out, s.name)
	}
	return out
}

// stray tells of a key above the first section.
func (p *parse) stray(name string, line int) {
	if s := part(name); s != nil {
		p.problem(line, name, "it is a section: write [%s], and its keys below", name)
		return
	}
	p.problem(line, name, "it belongs to no section%s", p.hint(nil, name))
}

// hint says which key may have been meant in a section.
func (p *parse) hint(s *section, name string) string {
	if s != nil {
		if near := meant(name, s.names()); near != "" {
			return near
		}
	}
	for i := range table {
		if other := &table[i]; other != s && other.find(name) != nil {
			return fmt.Sprintf(": it belongs below [%s]", other.name)
		}
	}
	if s == nil || len(s.keys) > 10 {
		return lists
	}
	return "; known: " + strings.Join(s.names(), ", ")
}

// lists says where what is known is to be found.
const lists = "; `deskbell config` lists all"

func (s *section) names() (out []string) {
	for _, k := range s.keys {
		out = append(out, k.name)
	}
	return out
}
