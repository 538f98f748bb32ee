package hooks

import (
	"slices"

	"github.com/tailscale/hujson"
)

// spot is where an entry is: the indices on the way down from the root.
type spot struct{ hooks, event, group, entry int }

// found is an entry of ours in a settings file.
type found struct {
	spot
	name  string // of the event
	path  string // of the client
	value hujson.Value
	fits  bool // it is run at each event of that name
}

// groupHooks is the member of a group that holds its entries.
const groupHooks = "hooks"

// find returns our entries, in the order of the file.
func (t target) find(root hujson.Value) []found {
	var all []found
	object(root, func(h int, m hujson.ObjectMember, hooksCount bool) {
		if memberName(m) != "hooks" {
			return
		}
		object(m.Value, func(e int, m hujson.ObjectMember, eventCounts bool) {
			f := found{spot: spot{hooks: h, event: e}, name: memberName(m), fits: hooksCount && eventCounts}
			for g, group := range elements(m.Value) {
				f.group = g
				all = append(all, t.findIn(f, group)...)
			}
		})
	})
	return all
}

// findIn returns our entries in a group, f is where that is.
func (t target) findIn(f found, group hujson.Value) []found {
	if t.Flat {
		var ok bool
		if f.path, ok = t.client(group); !ok {
			return nil
		}
		f.value = group
		return []found{f}
	}
	entries := member(group, groupHooks)
	if entries == nil {
		return nil
	}
	if m := member(group, "matcher"); m != nil {
		pattern, ok := stringOf(m)
		f.fits = f.fits && ok && (pattern == "" || pattern == "*")
	}
	var all []found
	for i, v := range elements(*entries) {
		if path, ok := t.client(v); ok {
			f.entry, f.path, f.value = i, path, v
			all = append(all, f)
		}
	}
	return all
}

// client returns the path of the client that an entry runs. ok: the entry is ours.
func (t target) client(entry hujson.Value) (path string, ok bool) {
	command, ok := stringOf(member(entry, t.key()))
	if !ok {
		return "", false
	}
	if member(entry, "args") == nil { // else there is no shell, and no quotes
		command = program(command)
	}
	return command, ours(command)
}

// exact reports whether the entry f is the one that runs command.
func (t target) exact(f found, command string) bool {
	want := t.entry(command)
	o, ok := f.value.Value.(*hujson.Object)
	if !ok || len(o.Members) != len(want) {
		return false
	}
	return !slices.ContainsFunc(want, func(p pair) bool {
		m := member(f.value, p.Name)
		if m == nil {
			return true
		}
		if s, ok := stringOf(m); ok {
			return s != p.Value
		}
		l, ok := m.Value.(hujson.Literal)
		return !ok || string(l) != plain.literal(p.Value, "")
	})
}

// object calls each with the members of v, if it is an object. counts: no later
// member has the same name.
func object(v hujson.Value, each func(i int, m hujson.ObjectMember, counts bool)) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return
	}
	last := make(map[string]int, len(o.Members))
	for i, m := range o.Members {
		last[memberName(m)] = i
	}
	for i, m := range o.Members {
		each(i, m, last[memberName(m)] == i)
	}
}

// elements returns those of v, if it is an array.
func elements(v hujson.Value) []hujson.Value {
	if a, ok := v.Value.(*hujson.Array); ok {
		return a.Elements
	}
	return nil
}
