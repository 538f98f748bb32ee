package listing

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// shop is a CLI that keeps one table of its own: what was said in which session.
var shop = sources.CLI{
	Name: "shop", Title: "Shop",
	Bases: []sources.Base{{Glob: "shop*.db", Known: "Shop 7", Tables: []sources.Table{{
		Name: "said", Old: true, Join: "JOIN room r ON r.id = t.room",
		Columns: map[string]string{"id": "t.id", "session": "t.room", "dir": "r.dir", "at": "t.at", "text": "t.text", "done": "t.done"},
		Session: "t.id IN (SELECT id FROM said WHERE room = ?1 ORDER BY at DESC LIMIT 3)",
		Open:    func(r sources.Row) bool { return r.Int("done") == 0 },
		Read: func(r sources.Row) ([]engine.Event, error) {
			switch r.Text("text") {
			case "bad":
				return nil, fmt.Errorf("not understood")
			case "worse":
				panic("no")
			}
			return []engine.Event{{
				At: time.UnixMilli(r.Int("at")), By: engine.Transcript, Who: engine.Who{Tool: "shop", ID: r.Text("session"), Dir: r.Text("dir")},
				Fact: engine.Described{Title: r.Text("text") + strings.Repeat("!", int(r.Int("done")))},
			}}, nil
		},
	}}}},
}

const layout = `
CREATE TABLE room (id text PRIMARY KEY, dir text NOT NULL);
CREATE TABLE said (id text PRIMARY KEY, room text NOT NULL, at integer NOT NULL, text text NOT NULL, done integer NOT NULL);
CREATE INDEX said_room ON said (room, at);
INSERT INTO room VALUES ('r1', '/w/one'), ('r2', '/w/two');
`

// rig is a database with its writer, and a Source that is told of it.
type rig struct {
	*Source
	t    *testing.T
	home string
	file string
	db   *writer
	mu   sync.Mutex // guards told and said
	told []engine.Event
	said []string
	n    int
}

// now is later than all that is said in these tests by default.
var now = time.Now().Truncate(time.Millisecond)

func newRig(t *testing.T) *rig {
	r := &rig{t: t}
	var err error
	if r.home, err = filepath.EvalSymlinks(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	r.file = filepath.Join(r.home, "shop 100%.db") // whatever is in a name
	r.db = newWriter(t, r.file)
	r.exec(layout)
	r.Source = New(Options{CLIs: []sources.CLI{shop}, Say: func(text string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.said = append(r.said, text)
	}})
	return r
}

func (r *rig) exec(query string, args ...any) {
	r.t.Helper()
	r.db.exec(query, args...)
}

// start runs the Source.
func (r *rig) start() {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = r.Run(ctx, func(events ...engine.Event) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.told = append(r.told, events...)
		})
	})
	r.t.Cleanup(func() { cancel(); wg.Wait() })
}

// add says something in a room; it is done at once, or open.
func (r *rig) add(room, text string, done bool) string {
	r.t.Helper()
	r.n++
	id := fmt.Sprint("m", r.n)
	r.exec("INSERT INTO said VALUES (?, ?, ?, ?, ?)", id, room, now.Add(time.Duration(r.n-100)*time.Second).UnixMilli(), text, done)
	return id
}

// look has what has changed read.
func (r *rig) look() []string { return r.after(func() { r.Changed("shop", r.home, r.file) }) }

// after is what is told in consequence of something.
func (r *rig) after(do func()) (out []string) {
	r.t.Helper()
	do()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := r.Sync(ctx); err != nil {
		r.t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, ev := range r.told {
		if cmp.Or(ev.Who.Home, "none") != r.home {
			r.t.Errorf("%v is of the home %q", ev.Fact, ev.Who.Home)
		}
		out = append(out, ev.Who.ID+" "+ev.Fact.(engine.Described).Title)
	}
	r.told = nil
	return out
}

func (r *rig) expect(got []string, want ...string) {
	r.t.Helper()
	if !slices.Equal(got, want) {
		r.t.Errorf("got %q, want %q", got, want)
	}
}

// words are what the user has been told.
func (r *rig) words() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.said, "\n")
}

// lasting lets what is wrong with the database have been so for long.
func (r *rig) lasting() {
	r.after(func() { r.inbox.Put(func() { r.bases[r.file].failing = time.Now().Add(-time.Hour) }) })
}
