package hooks

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"
)

// errUnsafe is a bug of ours, noticed before anything was written.
var errUnsafe = errors.New("changing it would damage it, please report this")

// wish is which entries there shall be.
type wish struct {
	events  []string
	command func(event string) string
}

// installed returns text with exactly the entries of w in it. before is the text
// without ours, nil: unknown.
func (t target) installed(text, before []byte, w wish) ([]byte, error) {
	if blank(text) {
		bom, _ := unmarked(text)
		all := append(slices.Clone(t.Head), pair{Name: "hooks", Value: t.members(w, w.events)})
		return []byte(bom + plain.literal(all, "") + plain.line), nil
	}
	bom, body := unmarked(text)
	kept, err := t.sorted(body, before, w)
	if err != nil {
		return nil, err
	}
	out, err := t.added(kept, w, false)
	if err != nil {
		return nil, err
	}
	if !t.returns(out, kept) {
		if out, err = t.added(kept, w, true); err != nil {
			return nil, err
		}
	}
	return append([]byte(bom), out...), t.holds(out, w)
}

// uninstalled returns text without our entries and what was made for them. nil: then
// nothing is left, and the file was made for them too. before is what it was before,
// nil: unknown.
func (t target) uninstalled(text, before []byte) ([]byte, error) {
	if blank(text) {
		return text, nil
	}
	bom, body := unmarked(text)
	out, err := t.bare(body, before)
	if err != nil || bytes.Equal(out, body) {
		return text, err
	}
	root, err := parseSettings(out)
	if err != nil {
		return nil, errUnsafe
	}
	if t.hollow(out, root) {
		switch {
		case before == nil:
			return nil, nil
		case blank(before):
			return before, nil
		}
	}
	return append([]byte(bom), out...), t.holds(out, wish{})
}

// hollow reports whether nothing is in a file but what it needs.
func (t target) hollow(body []byte, root hujson.Value) bool {
	o, ok := root.Value.(*hujson.Object)
	return ok && comments(body, root) == "" && lastComment(root.BeforeExtra)+lastComment(root.AfterExtra) == 0 &&
		!slices.ContainsFunc(o.Members, func(m hujson.ObjectMember) bool {
			return !slices.ContainsFunc(t.Head, func(p pair) bool { return p.Name == memberName(m) })
		})
}

// returns reports whether removal makes before of body again.
func (t target) returns(body, before []byte) bool {
	want, err := t.bare(before, nil)
	if err != nil {
		return false
	}
	got, err := t.bare(body, want)
	return err == nil && bytes.Equal(got, want)
}

// holds checks that body holds the entries of w once, and no others.
func (t target) holds(body []byte, w wish) error {
	root, err := parseSettings(body)
	if err != nil {
		return errUnsafe
	}
	all := t.find(root)
	for _, f := range all {
		if !f.fits || !slices.Contains(w.events, f.name) || !t.exact(f, w.command(f.name)) {
			return errUnsafe
		}
	}
	if len(all) != len(w.events) {
		return errUnsafe
	}
	return nil
}

// sorted returns body with those of our entries that are wanted put right, and
// without the others.
func (t target) sorted(body, before []byte, w wish) ([]byte, error) {
	root, err := parseSettings(body)
	if err != nil {
		return nil, err
	}
	all := t.find(root)
	chosen := map[string]spot{}
	for _, exact := range []bool{true, false} {
		for _, f := range all {
			if _, have := chosen[f.name]; !have && f.fits && slices.Contains(w.events, f.name) && exact == t.exact(f, w.command(f.name)) {
				chosen[f.name] = f.spot
			}
		}
	}
	var edits []edit
	gone := map[spot]bool{}
	for _, f := range all {
		command := w.command(f.name)
		at, wanted := chosen[f.name]
		switch {
		case !wanted || at != f.spot:
			gone[f.spot] = true
		case !t.exact(f, command):
			s := styleOf(body, root)
			start, end := f.value.StartOffset, f.value.EndOffset
			s.pretty = bytes.IndexByte(body[start:end], '\n') >= 0
			edits = append(edits, edit{start, end, s.literal(t.entry(command), indentAt(body, start))})
		}
	}
	return t.without(edited(body, edits), before, gone)
}

// added returns body with the entries of w that are not in it.
func (t target) added(body []byte, w wish, direct bool) ([]byte, error) {
	root, err := parseSettings(body)
	if err != nil {
		return nil, err
	}
	missing := slices.Clone(w.events)
	for _, f := range t.find(root) {
		missing = slices.DeleteFunc(missing, func(event string) bool { return event == f.name })
	}
	if len(missing) == 0 {
		return body, nil
	}
	if root.Value.Kind() != '{' {
		return nil, brokenAt(body, root.StartOffset, "not an object")
	}
	n := &insertion{body: body, style: styleOf(body, root), direct: direct}
	hooks := member(root, "hooks")
	if hooks == nil {
		n.insert(root, func(s style, indent string) []string {
			return []string{s.member(pair{Name: "hooks", Value: t.members(w, missing)}, indent)}
		})
		return edited(body, n.edits), nil
	}
	if hooks.Value.Kind() != '{' {
		return nil, brokenAt(body, hooks.StartOffset, `"hooks" is not an object`)
	}
	var fresh []string
	for _, event := range missing {
		groups := member(*hooks, event)
		switch {
		case groups == nil:
			fresh = append(fresh, event)
		case groups.Value.Kind() != '[':
			return nil, brokenAt(body, groups.StartOffset, strconv.Quote(event)+" is not a list")
		default:
			n.insert(*groups, func(s style, indent string) []string {
				return []string{s.literal(t.group(w.command(event)), indent)}
			})
		}
	}
	if len(fresh) > 0 {
		n.insert(*hooks, func(s style, indent string) (texts []string) {
			for _, p := range t.members(w, fresh) {
				texts = append(texts, s.member(p, indent))
			}
			return texts
		})
	}
	return edited(body, n.edits), nil
}

// members are the members of hooks for events.
func (t target) members(w wish, events []string) []pair {
	var all []pair
	for _, event := range events {
		all = append(all, pair{Name: event, Value: []any{t.group(w.command(event))}})
	}
	return all
}
