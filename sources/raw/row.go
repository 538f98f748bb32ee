package raw

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// maxRows is how many rows of databases are remembered.
const maxRows = 16384

// spot is where a row lies.
type spot struct {
	place
	table, id string
}

// stored is a row as it was read last.
type stored struct {
	row sources.Row
	at  time.Time // when it was observed
}

// row takes in a row of a database that was added or has changed. What it says is told a
// little later, together with what else has changed.
func (w *World) row(now time.Time, l *Line) ([]engine.Event, error) {
	c, err := w.cli(l.Tool)
	if err != nil {
		return nil, err
	}
	p := w.locate(c, l.Path)
	t := w.tableOf(p, l.Table)
	if t == nil {
		return nil, fmt.Errorf("no database of %s lies at %.200q, or it has no table %.40q", c.Title, l.Path, l.Table)
	}
	s := spot{p, l.Table, l.Row.Text("id")}
	if s.id == "" {
		return nil, errors.New(`a row needs its id, "row": {"id": "…"}`)
	}
	if old, known := w.rows[s]; known && reflect.DeepEqual(old.row, l.Row) {
		return nil, nil
	}
	w.rows[s] = stored{l.Row, now}
	if len(w.rows) > maxRows {
		w.thinRows()
	}
	events, err := guarded(func() ([]engine.Event, error) { return t.Read(l.Row) })
	w.added = append(w.added, own(p, events)...)
	if w.window.IsZero() {
		w.window = now.Add(coalesce)
	}
	return nil, err
}

// tableOf is the description of a table, nil if there is none.
func (w *World) tableOf(p place, name string) *sources.Table {
	c, err := w.cli(p.tool)
	if err != nil {
		return nil
	}
	for i := range c.Bases {
		if ok, _ := path.Match(c.Bases[i].Glob, p.rel); !ok {
			continue
		}
		for n := range c.Bases[i].Tables {
			if t := &c.Bases[i].Tables[n]; t.Name == name {
				return t
			}
		}
	}
	return nil
}

// readRows returns what was added to all databases.
func (w *World) readRows() []engine.Event {
	out := w.added
	w.added = nil
	return inTime(out)
}

// againRows returns what all rows say that are as wanted.
func (w *World) againRows(tool string, wanted func(t *sources.Table, ev engine.Event) bool) (out []engine.Event) {
	for _, s := range slices.SortedFunc(maps.Keys(w.rows), func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.path(), b.path()), cmp.Compare(a.table, b.table), cmp.Compare(a.id, b.id))
	}) {
		t := w.tableOf(s.place, s.table)
		if t == nil || tool != "" && s.tool != tool {
			continue
		}
		events, _ := guarded(func() ([]engine.Event, error) { return t.Read(w.rows[s].row) }) // said before
		for _, ev := range own(s.place, events) {
			if wanted(t, ev) {
				out = append(out, ev)
			}
		}
	}
	return inTime(out)
}

func inTime(events []engine.Event) []engine.Event {
	slices.SortStableFunc(events, func(a, b engine.Event) int { return a.At.Compare(b.At) })
	return events
}

// thinRows forgets the rows that were observed first.
func (w *World) thinRows() {
	all := slices.SortedFunc(maps.Keys(w.rows), func(a, b spot) int { return w.rows[a].at.Compare(w.rows[b].at) })
	for _, s := range all[:len(all)/4] {
		delete(w.rows, s)
	}
}
