package hooks

import (
	"github.com/tailscale/hujson"
)

// bare returns body without our entries and what was made for them. before is the
// file before they came, nil: unknown; then what they leave empty was made for them.
func (t target) bare(body, before []byte) ([]byte, error) {
	root, err := parseSettings(body)
	if err != nil {
		return nil, err
	}
	gone := map[spot]bool{}
	for _, f := range t.find(root) {
		gone[f.spot] = true
	}
	return t.without(body, before, gone)
}

// without returns body without the entries at gone.
func (t target) without(body, before []byte, gone map[spot]bool) ([]byte, error) {
	if len(gone) == 0 {
		return body, nil
	}
	root, err := parseSettings(body)
	if err != nil {
		return nil, err
	}
	s := stripper{removal: removal{body: body}, flat: t.Flat, gone: gone, was: t.origin(before)}
	s.root(root)
	return edited(body, s.edits), nil
}

// origin is the file before our entries came into it.
type origin struct {
	body []byte
	root *hujson.Value // nil: unknown
}

// origin returns what before tells. It may be of a time when there were entries of
// ours already.
func (t target) origin(before []byte) origin {
	if blank(before) {
		return origin{}
	}
	_, body := unmarked(before)
	body, err := t.bare(body, nil)
	if err != nil {
		return origin{}
	}
	root, err := parseSettings(body)
	if err != nil {
		return origin{}
	}
	return origin{body, &root}
}

// at returns the value at a path of names. nil: there was none.
func (o origin) at(path ...string) *hujson.Value {
	v := o.root
	for _, name := range path {
		if v == nil {
			return nil
		}
		v = member(*v, name)
	}
	return v
}

// inside returns what is in v, a value of o that is nil or empty, and the comments of it.
func (o origin) inside(v *hujson.Value) (text, remarks string) {
	if v == nil {
		return "", ""
	}
	if b, ok := boxOf(*v); ok && len(b.items) == 0 {
		return string(o.body[b.open+1 : b.close]), comments(o.body, *v)
	}
	return "", ""
}

// stripper takes entries out of a file, and what holds nothing else.
type stripper struct {
	removal
	flat bool
	gone map[spot]bool
	was  origin
}

// root takes them out of the whole file.
func (s *stripper) root(root hujson.Value) {
	gone := map[int]bool{}
	object(root, func(i int, m hujson.ObjectMember, _ bool) {
		gone[i] = memberName(m) == "hooks" && s.hooks(i, m.Value)
	})
	s.empty(root, gone, func() *hujson.Value { return s.was.at() })
}

// hooks takes them out of the object of all events. It reports whether that is to
// go as a whole, and is untouched then; so do the next three.
func (s *stripper) hooks(h int, hooks hujson.Value) bool {
	gone := map[int]bool{}
	object(hooks, func(i int, m hujson.ObjectMember, _ bool) {
		gone[i] = s.event(spot{hooks: h, event: i}, memberName(m), m.Value)
	})
	return s.whole(hooks, gone, func() *hujson.Value { return s.was.at("hooks") })
}

// event takes them out of the array of an event.
func (s *stripper) event(at spot, name string, groups hujson.Value) bool {
	gone := map[int]bool{}
	for i, g := range elements(groups) {
		at.group = i
		gone[i] = s.group(at, g)
	}
	return s.whole(groups, gone, func() *hujson.Value { return s.was.at("hooks", name) })
}

// group takes them out of an element of that array.
func (s *stripper) group(at spot, group hujson.Value) bool {
	if s.flat {
		return s.gone[at]
	}
	entries := member(group, groupHooks)
	if entries == nil {
		return false
	}
	gone := map[int]bool{}
	for i := range elements(*entries) {
		at.entry = i
		gone[i] = s.gone[at]
	}
	if o := group.Value.(*hujson.Object); len(o.Members) > 1 || comments(s.body, group) != "" {
		s.empty(*entries, gone, nothing) // somebody else's, or the user made it his
		return false
	}
	return s.whole(*entries, gone, nothing)
}

// whole takes the gone items out of v, unless those are all and v was made for them.
// was tells what it was before, nil: it was not there.
func (s *stripper) whole(v hujson.Value, gone map[int]bool, was func() *hujson.Value) bool {
	if all(gone) && was() == nil && comments(s.body, v) == "" {
		return true
	}
	s.empty(v, gone, was)
	return false
}

// empty takes the gone items out of v. If those are all, its inside becomes what it
// was before, if that was empty too.
func (s *stripper) empty(v hujson.Value, gone map[int]bool, was func() *hujson.Value) {
	if all(gone) {
		left := comments(s.body, v)
		inside, then := s.was.inside(was())
		if then != left {
			inside = ""
		}
		if then == left || left == "" {
			s.edits = append(s.edits, edit{v.StartOffset + 1, v.EndOffset - 1, inside})
			return
		}
	}
	s.remove(v, func(i int) bool { return gone[i] })
}

func nothing() *hujson.Value { return nil }

// all reports whether there are items, and all are gone.
func all(gone map[int]bool) bool {
	for _, yes := range gone {
		if !yes {
			return false
		}
	}
	return len(gone) > 0
}
