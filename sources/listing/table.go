package listing

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"deskbell/sources"
)

// How much is read of a table.
const (
	tail      = 256  // rows at a start, and where it is not clear which ones are new
	leap      = 2000 // new rows since the last look; where there are more, the last ones of them
	openKept  = 256  // rows that may still change
	perAsk    = 500  // rows of one session
	perSelect = 64   // rows that are named in one query
)

// table is how far one table of a database has been read. Rows are numbered as they are
// added; where some were taken away, numbers may be used again.
type table struct {
	sources.Table
	names []string          // of the columns, in the order in which they are read
	mark  int64             // the number of the last row that was read
	last  string            // its id
	open  map[string]string // rows that may still change, by id, as they were read last
	order []string          // their ids, in the order in which they were met
}

func newTable(t sources.Table) *table {
	return &table{Table: t, names: slices.Sorted(maps.Keys(t.Columns)), open: map[string]string{}}
}

func (t *table) forget() { t.mark, t.last, t.open, t.order = 0, "", map[string]string{}, nil }

func (t *table) copied() table {
	c := *t
	c.open, c.order = maps.Clone(t.open), slices.Clone(t.order)
	return c
}

// query selects the columns of rows, and before them their numbers.
func (t *table) query(where, rest string) string {
	columns := []string{"t.rowid"}
	for _, name := range t.names {
		columns = append(columns, t.Columns[name])
	}
	return "SELECT " + strings.Join(columns, ", ") + " FROM " + t.Name + " t " + t.Join + " WHERE " + where + " " + rest
}

// news returns the rows that were added or have changed since the last look. Before the
// first look nothing was.
func (t *table) news(v *view, first bool) (out []sources.Row, err error) {
	var most int64
	if err := v.one("SELECT coalesce(max(rowid), 0) FROM "+t.Name, &most); err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	if !first {
		from, err := t.from(v, most)
		if err != nil {
			return nil, err
		}
		if out, err = t.rows(v, t.query("t.rowid > ?1 AND t.rowid <= ?2", "ORDER BY t.rowid"), from, most); err != nil {
			return nil, err
		}
	}
	if t.last, err = t.id(v, most); err != nil {
		return nil, err
	}
	t.mark = most
	changed, err := t.changed(v)
	return append(out, changed...), err
}

// lasting returns the last rows of a table that is read at a start.
func (t *table) lasting(v *view, wanted bool) ([]sources.Row, error) {
	if !t.Old || !wanted {
		return nil, nil
	}
	return t.rows(v, t.query("t.rowid > ?1", "ORDER BY t.rowid"), t.mark-tail)
}

// id is that of the row with a number, "" where there is none.
func (t *table) id(v *view, number int64) (id string, err error) {
	if err := v.one("SELECT "+t.Columns["id"]+" FROM "+t.Name+" t WHERE t.rowid = ?1", &id, number); err != nil {
		return "", fmt.Errorf("%s: %w", t.Name, err)
	}
	return id, nil
}

// from is the number after which rows are new. Where rows were taken away, others may have
// their numbers.
func (t *table) from(v *view, most int64) (int64, error) {
	last, err := t.id(v, t.mark)
	switch {
	case err != nil:
		return 0, err
	case last != t.last || most < t.mark:
		return min(t.mark, most) - tail, nil
	case most-t.mark > leap:
		return most - leap, nil
	}
	return t.mark, nil
}

// changed returns the rows that were open and are not what they were.
func (t *table) changed(v *view) (out []sources.Row, err error) {
	ids := slices.Clone(t.order)
	for len(ids) > 0 {
		n := min(len(ids), perSelect)
		marks, args := make([]string, n), make([]any, n)
		for i, id := range ids[:n] {
			marks[i], args[i] = fmt.Sprintf("?%d", i+1), id
		}
		was := maps.Clone(t.open)
		rows, err := t.rows(v, t.query(t.Columns["id"]+" IN ("+strings.Join(marks, ", ")+")", "ORDER BY t.rowid"), args...)
		if err != nil {
			return nil, err
		}
		there := map[string]bool{}
		for _, r := range rows {
			id := r.Text("id")
			there[id] = true
			if was[id] != t.print(r) {
				out = append(out, r)
			}
		}
		for _, id := range ids[:n] {
			if !there[id] {
				t.close(id)
			}
		}
		ids = ids[n:]
	}
	return out, nil
}

// of returns the last rows of a session.
func (t *table) of(v *view, session string) ([]sources.Row, error) {
	if t.Session == "" {
		return nil, nil
	}
	rows, err := t.rows(v, t.query(t.Session, "ORDER BY t.rowid DESC LIMIT ?2"), session, perAsk)
	slices.Reverse(rows)
	return rows, err
}

// rows reads rows, and remembers those that may still change.
func (t *table) rows(v *view, query string, args ...any) (out []sources.Row, err error) {
	err = v.each(query, args, len(t.names)+1, func(values []any) {
		r := sources.Row{}
		for i, name := range t.names {
			r[name] = values[i+1]
		}
		id := r.Text("id")
		if t.Open != nil && t.Open(r) {
			t.keep(id, t.print(r))
		} else {
			t.close(id)
		}
		out = append(out, r)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	return out, nil
}

func (t *table) keep(id, print string) {
	if _, known := t.open[id]; !known {
		t.order = append(t.order, id)
	}
	t.open[id] = print
	for len(t.order) > openKept {
		t.close(t.order[0])
	}
}

func (t *table) close(id string) {
	if _, known := t.open[id]; known {
		delete(t.open, id)
		t.order = slices.DeleteFunc(t.order, func(o string) bool { return o == id })
	}
}
