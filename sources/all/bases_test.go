package all_test

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/listing"
	"deskbell/sources/opencode"
	"deskbell/sources/raw"
)

// openCode is a database of OpenCode's, with the tables that it made, and who reads it.
type openCode struct {
	*testing.T
	file   string
	db     *sql.DB
	source *listing.Source
	mu     sync.Mutex // guards told and said
	told   []engine.Event
	said   []string
}

func newOpenCode(t *testing.T) *openCode {
	o := &openCode{T: t}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o.file = filepath.Join(home, "opencode.db")
	if o.db, err = sql.Open("sqlite", (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(o.file), "/")}).String()+"?_pragma=journal_mode(WAL)"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.db.Close() })
	schema, err := os.ReadFile("../opencode/testdata/schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	o.exec(string(schema))
	o.source = listing.New(listing.Options{CLIs: []sources.CLI{opencode.CLI}, Recent: 100 * 365 * 24 * time.Hour, Say: func(text string) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.said = append(o.said, text)
	}})
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = o.source.Run(ctx, func(events ...engine.Event) {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.told = append(o.told, events...)
		})
	})
	t.Cleanup(func() { cancel(); wg.Wait() })
	return o
}

func (o *openCode) exec(query string, args ...any) {
	o.Helper()
	if _, err := o.db.Exec(query, args...); err != nil {
		o.Fatal(err)
	}
}

// put writes a row of a recording as OpenCode did.
func (o *openCode) put(table string, r sources.Row) {
	o.Helper()
	var parent any
	if r.Text("root") != r.Text("session") {
		parent = r.Text("root")
	}
	o.exec(`INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, permission, agent, time_created, time_updated)
		VALUES (?1, 'global', ?2, 'x', ?3, ?4, '1.18.33', ?5, ?6, ?7, ?8)
		ON CONFLICT (id) DO UPDATE SET title = ?4, time_updated = max(time_updated, ?8)`,
		r.Text("session"), parent, r.Text("dir"), r.Text("title"), r["rules"], r["kind"], r.Int("created"), r.Int("updated"))
	switch table {
	case "message":
		o.exec(`INSERT INTO message VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE SET data = ?5, time_updated = ?4`,
			r.Text("id"), r.Text("session"), r.Int("created"), r.Int("updated"), r.Text("data"))
	case "part":
		o.exec(`INSERT INTO part VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO UPDATE SET data = ?6, time_updated = ?5`,
			r.Text("id"), r.Text("message"), r.Text("session"), r.Int("created"), r.Int("updated"), r.Text("data"))
	}
}

// after is what is told in consequence of something.
func (o *openCode) after(do func()) []engine.Event {
	o.Helper()
	do()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := o.source.Sync(ctx); err != nil {
		o.Fatal(err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	told := o.told
	o.told = nil
	return told
}

// words are events as text, each once, without what a session is called, which may be told
// at another time.
func words(events []engine.Event) (out []string) {
	for _, ev := range events {
		if d, is := ev.Fact.(engine.Described); is && d.Title != "" {
			continue
		}
		out = append(out, fmt.Sprintf("%v %s %v %T%+v", ev.At.UnixMilli(), ev.Who.ID, ev.Who.Loose, ev.Fact, ev.Fact))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestOpenCodeDatabase has the rows of every recording written to a database, one after
// the other, and read from it with the queries of the adapter: what is told is what the
// recordings tell. Whoever begins at the end learns the same when he asks.
func TestOpenCodeDatabase(t *testing.T) {
	files, err := filepath.Glob("../opencode/testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		if strings.Contains(filepath.Base(file), "-hooks") {
			continue // it has the same rows
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			tables := map[string]sources.Table{}
			for _, table := range opencode.CLI.Bases[0].Tables {
				tables[table.Name] = table
			}
			o := newOpenCode(t)
			look := func() { o.source.Changed("opencode", filepath.Dir(o.file), o.file) }
			if got := o.after(look); len(got) > 0 {
				t.Errorf("an empty one says %v", got)
			}
			var want, got []engine.Event
			roots := map[string]bool{}
			for _, l := range rows(t, file) {
				events, err := tables[l.Table].Read(l.Row)
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, events...)
				roots[l.Row.Text("root")] = true
				o.put(l.Table, l.Row)
				got = append(got, o.after(look)...)
			}
			if g, w := words(got), words(want); !slices.Equal(g, w) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(g, "\n"), strings.Join(w, "\n"))
			}
			if len(want) == 0 {
				t.Error("nothing is told")
			}
			for id := range roots {
				again := o.after(func() {
					o.source.Answer(engine.Question{Ask: engine.AskRecord, Who: engine.Who{Tool: "opencode", ID: id}})
				})
				ends := 0
				for _, ev := range again {
					if f, is := ev.Fact.(engine.Finished); is && f.Agent == "" {
						ends++
					}
				}
				for _, ev := range got {
					if f, is := ev.Fact.(engine.Finished); is && f.Agent == "" && ev.Who.ID == id {
						ends--
					}
				}
				if ends < 0 || len(again) == 0 {
					t.Errorf("%s, asked about: %d ends are missing of %d events", id, -ends, len(again))
				}
			}
			if len(o.said) > 0 {
				t.Errorf("said %q", o.said)
			}
		})
	}
}

// rows are those of a recording.
func rows(t *testing.T, file string) (out []raw.Line) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 4<<20)
	for in.Scan() {
		var l raw.Line
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if l.Raw == "row" {
			out = append(out, l)
		}
	}
	return out
}

// TestOpenCodeQueries checks that no query of the adapter goes over a whole table that
// grows with every word.
func TestOpenCodeQueries(t *testing.T) {
	o := newOpenCode(t)
	for _, table := range opencode.CLI.Bases[0].Tables {
		if table.Session == "" {
			continue
		}
		query := "EXPLAIN QUERY PLAN SELECT 1 FROM " + table.Name + " t " + table.Join + " WHERE " + table.Session
		for _, column := range table.Columns {
			query = strings.Replace(query, "SELECT 1", "SELECT 1, "+column, 1)
		}
		plan, err := o.db.Query(query, "ses_x")
		if err != nil {
			t.Fatal(err)
		}
		for plan.Next() {
			var id, parent, unused int
			var detail string
			if err := plan.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			if rest, scans := strings.CutPrefix(detail, "SCAN "); scans && (rest == "t" || rest == "m" || strings.HasPrefix(rest, "message") || strings.HasPrefix(rest, "part")) {
				t.Errorf("%s: %s", table.Name, detail)
			}
		}
		plan.Close()
	}
}
