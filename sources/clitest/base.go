package clitest

import (
	"io/fs"
	"path"

	"deskbell/sources"
)

// base looks at the description of a database, and feeds its tables what no CLI wrote. It
// may be an error and is never an event.
func (f *faults) base(b *sources.Base) {
	if _, err := path.Match(b.Glob, ""); err != nil || !fs.ValidPath(b.Glob) {
		f.add("base %q: not a pattern of files below the home", b.Glob)
	}
	if b.Known == "" {
		f.add("base %q: nobody knows which version's it is", b.Glob)
	}
	for i := range b.Tables {
		t := &b.Tables[i]
		if !plainName.MatchString(t.Name) || t.Columns["id"] == "" || t.Read == nil {
			f.add("base %q: the table %q has no name, no id or no reader", b.Glob, t.Name)
			continue
		}
		for _, g := range append(Garbage(), nil) {
			if !f.mute(b, t, g) {
				break
			}
		}
	}
}

// mute reports whether a row in which every column is g says nothing and breaks nothing.
func (f *faults) mute(b *sources.Base, t *sources.Table, g []byte) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			f.add("base %q: %s panics: %v", b.Glob, t.Name, r)
			ok = false
		}
	}()
	for _, v := range []any{string(g), nil, int64(len(g)), 0.5} {
		r := sources.Row{}
		for name := range t.Columns {
			r[name] = v
		}
		if events, _ := t.Read(r); len(events) > 0 {
			f.add("base %q: a row of garbage in %s says %T: %.60q", b.Glob, t.Name, events[0].Fact, g)
			return false
		}
		if t.Open != nil {
			_ = t.Open(r)
		}
	}
	return true
}
