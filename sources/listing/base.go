package listing

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// base is one database.
type base struct {
	cli    *sources.CLI
	known  string // see [sources.Base]
	home   string
	path   string
	tables []*table

	begun   bool
	last    bool     // the last rows are to be read, as at the start
	asked   []string // the sessions to be read
	retry   time.Time
	tries   int       // that failed, one after the other
	failing time.Time // since when
	strange bool      // it is not what it should be
	bad     []error
	dirs    map[string]string // real paths of folders
}

// newBase returns nil where the file at path is none of d.
func newBase(c *sources.CLI, d *sources.Base, home, file string) *base {
	rel, err := filepath.Rel(home, file)
	if err != nil {
		return nil
	}
	if ok, _ := path.Match(d.Glob, filepath.ToSlash(rel)); !ok {
		return nil
	}
	b := &base{cli: c, known: d.Known, home: home, path: file, dirs: map[string]string{}}
	for i := range d.Tables {
		b.tables = append(b.tables, newTable(d.Tables[i]))
	}
	return b
}

// has reports whether the session who may be in b.
func (b *base) has(who engine.Who) bool {
	return who.Tool == b.cli.Name && (who.Home == "" || who.Home == b.home)
}

// again has b read as if for the first time.
func (b *base) again() {
	b.begun = false
	for _, t := range b.tables {
		t.forget()
	}
}

// patience is how long one look may take. Writers do not wait for it, but their log grows.
const patience = 5 * time.Second

// read returns what is new, all of one moment: what began later is not in it. Nothing
// that was read counts where an error is returned.
func (b *base) read(now time.Time, recent time.Duration) (out []engine.Event, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	v, err := open(ctx, b.path)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	marks := make([]table, len(b.tables))
	for i, t := range b.tables {
		marks[i] = t.copied()
	}
	defer func() {
		if err != nil {
			for i := range marks {
				*b.tables[i] = marks[i]
			}
			out, b.bad = nil, nil
		}
	}()
	var old []engine.Event
	for _, t := range b.tables {
		rows, err := t.news(v, !b.begun)
		if err != nil {
			return nil, err
		}
		out = append(out, b.told(t, rows)...)
		if rows, err = t.lasting(v, !b.begun || b.last); err != nil {
			return nil, err
		}
		old = append(old, b.told(t, rows)...)
	}
	for _, id := range b.asked {
		var events []engine.Event
		for _, t := range b.tables {
			rows, err := t.of(v, id)
			if err != nil {
				return nil, err
			}
			events = append(events, b.told(t, rows)...)
		}
		out = append(out, events...)
	}
	b.begun, b.last, b.asked = true, false, nil
	slices.SortStableFunc(out, func(x, y engine.Event) int { return x.At.Compare(y.At) })
	return append(newestFirst(old, now.Add(-recent)), out...), nil
}

// told translates rows.
func (b *base) told(t *table, rows []sources.Row) (out []engine.Event) {
	for _, r := range rows {
		events, err := b.translate(t, r)
		if err != nil && len(b.bad) == 0 {
			b.bad = append(b.bad, fmt.Errorf("%s %q: %w", t.Name, r.Text("id"), err))
		}
		out = append(out, events...)
	}
	return out
}

// translate has the adapter read a row. Whatever it does, the rest goes on.
func (b *base) translate(t *table, r sources.Row) (events []engine.Event, err error) {
	defer func() {
		if p := recover(); p != nil {
			events, err = nil, fmt.Errorf("%v", p)
		}
	}()
	events, err = t.Read(r)
	for i := range events {
		w := &events[i].Who
		w.Home = cmp.Or(w.Home, b.home)
		real, met := b.dirs[w.Dir]
		if !met {
			if len(b.dirs) >= asksKept {
				clear(b.dirs)
			}
			real = sources.RealPath(w.Dir)
			b.dirs[w.Dir] = real
		}
		w.Dir = real
	}
	return events, err
}

// newestFirst is what is told at a start, without what is too old: the session that moved
// last comes first, for a process that runs in its folder.
func newestFirst(events []engine.Event, since time.Time) []engine.Event {
	last := map[string]time.Time{}
	for _, ev := range events {
		if ev.At.After(last[ev.Who.ID]) {
			last[ev.Who.ID] = ev.At
		}
	}
	events = slices.DeleteFunc(events, func(ev engine.Event) bool { return last[ev.Who.ID].Before(since) })
	slices.SortStableFunc(events, func(x, y engine.Event) int {
		return cmp.Or(last[y.Who.ID].Compare(last[x.Who.ID]), strings.Compare(x.Who.ID, y.Who.ID), x.At.Compare(y.At))
	})
	return events
}
