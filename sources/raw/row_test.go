package raw_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/raw"
)

// shop is a CLI with a database of what was said.
func shop() *raw.World {
	return raw.New(raw.Options{CLIs: []sources.CLI{{Name: "shop", Title: "Shop", Bases: []sources.Base{{Glob: "shop*.db", Tables: []sources.Table{
		{Name: "said", Old: true, Read: func(r sources.Row) ([]engine.Event, error) {
			switch r.Text("text") {
			case "bad":
				return nil, fmt.Errorf("not understood")
			case "worse":
				panic("no")
			}
			return []engine.Event{{At: t0.Add(time.Duration(r.Int("at")) * time.Second), By: engine.Transcript, Who: engine.Who{Tool: "shop", ID: r.Text("room")}, Fact: engine.Wrote{}}}, nil
		}},
		{Name: "heard", Read: func(r sources.Row) ([]engine.Event, error) {
			return []engine.Event{{By: engine.Transcript, Who: engine.Who{Tool: "shop", ID: r.Text("room")}, Fact: engine.Replied{}}}, nil
		}},
	}}}}}})
}

func said(table, id, room, rest string) string {
	return fmt.Sprintf(`{"raw":"row","path":"/home/dev/.shop/shop-1.db","table":%q,"row":{"id":%q,"room":%q%s}}`, table, id, room, rest)
}

// TestRows checks that a row is told once, in the order of time, a little after it was
// seen, and again when somebody asks.
func TestRows(t *testing.T) {
	w := shop()
	got := play(t, w, said("said", "m2", "r1", `,"at":2`), said("said", "m2", "r1", `,"at":2`), said("said", "m2", "r1", `,"at":3`), said("heard", "m1", "r2", ""))
	if want := 3; len(got) != want || !strings.Contains(got[0], `"home":"/home/dev/.shop"`) || !strings.Contains(got[0], `"at":"2026-11-30T08:00:02Z"`) {
		t.Errorf("got %d, want %d: %s", len(got), want, strings.Join(got, "\n"))
	}
	now := t0.Add(time.Minute)
	for _, l := range []string{said("said", "m9", "r1", `,"at":9`), said("said", "m8", "r1", `,"at":8`)} {
		if events, err := w.Take(now, []byte(strings.Replace(l, "{", `{"at":"2026-11-30T08:01:00Z",`, 1))); err != nil || len(events) > 0 {
			t.Fatalf("got %v, %v at once", events, err)
		}
	}
	events := w.Due(w.Next())
	if len(events) != 2 || !events[0].At.Before(events[1].At) {
		t.Errorf("got %v", events)
	}
	ask := func(a engine.Ask, who engine.Who) int {
		w.Ask(now, engine.Question{Ask: a, Who: who})
		return len(w.Due(w.Next()))
	}
	for _, test := range []struct {
		ask  engine.Ask
		who  engine.Who
		want int
	}{
		{engine.AskRecord, engine.Who{Tool: "shop", ID: "r1"}, 3}, {engine.AskRecord, engine.Who{Tool: "shop", ID: "r2"}, 1},
		{engine.AskRecord, engine.Who{Tool: "shop", ID: "r3"}, 0}, {engine.AskRecords, engine.Who{Tool: "shop"}, 3},
	} {
		if got := ask(test.ask, test.who); got != test.want {
			t.Errorf("%v of %+v: %d, want %d", test.ask, test.who, got, test.want)
		}
	}
	if got := len(w.Survey(now)); got != 3 {
		t.Errorf("a survey tells %d, want those of old tables", got)
	}
}

// TestBadRows checks rows that are none.
func TestBadRows(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{said("unsaid", "m1", "r1", ""), `it has no table "unsaid"`},
		{strings.Replace(said("said", "m1", "r1", ""), "shop-1.db", "notes.txt", 1), `no database of Shop lies at "/home/dev/.shop/notes.txt"`},
		{said("said", "", "r1", ""), "a row needs its id"},
		{said("said", "m1", "r1", `,"text":"bad"`), "not understood"},
		{said("said", "m1", "r1", `,"text":"worse"`), "no"},
	} {
		if events, err := shop().Take(t0, []byte(test.line)); err == nil || !strings.Contains(err.Error(), test.want) || len(events) > 0 {
			t.Errorf("%s: got %v, %v, want %s", test.line, events, err, test.want)
		}
	}
}

// TestRowsBounded checks that not all rows are remembered for ever.
func TestRowsBounded(t *testing.T) {
	w := shop()
	for i := range 40_000 {
		now := t0.Add(time.Duration(i) * time.Millisecond)
		l := raw.Line{At: now, Raw: "row", Path: "/h/shop.db", Table: "said", Row: sources.Row{"id": fmt.Sprint(i), "room": "r1"}}
		if _, err := w.Observe(now, &l); err != nil {
			t.Fatal(err)
		}
		for next := w.Next(); !next.IsZero() && !next.After(now); next = w.Next() {
			w.Due(now)
		}
	}
	now := t0.Add(time.Hour)
	w.Due(w.Next())
	w.Ask(now, engine.Question{Ask: engine.AskRecord, Who: engine.Who{Tool: "shop", ID: "r1"}})
	events := w.Due(w.Next())
	text, _ := json.Marshal(len(events))
	if len(events) > 17_000 || len(events) < 8_000 {
		t.Errorf("%s rows are remembered", text)
	}
}
