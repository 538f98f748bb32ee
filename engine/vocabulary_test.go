package engine_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

// unwritten blanks what is never recorded.
func unwritten(f engine.Fact) engine.Fact {
	if f == nil {
		return nil
	}
	v := reflect.New(reflect.TypeOf(f)).Elem()
	v.Set(reflect.ValueOf(f))
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("json") == "-" {
			v.Field(i).SetZero()
		}
	}
	return v.Interface().(engine.Fact)
}

// TestLines checks that a record keeps everything but texts.
func TestLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	seen := map[reflect.Type]bool{}
	for range 5000 {
		want := engine.Line{Told: t0.Add(time.Duration(r.IntN(1e9))), Event: anyEvent(r)}
		switch r.IntN(3) {
		case 0:
			want.At = want.Told.Add(-time.Second)
		case 1:
			want.At, want.Told = want.Told, time.Time{}
		}
		seen[reflect.TypeOf(want.Fact)] = true
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got engine.Line
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if want.At.IsZero() { // it was told as it happened
			want.At, want.Told = want.Told, time.Time{}
		}
		if want.Fact = unwritten(want.Fact); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\ngot  %+v\nwant %+v", text, got, want)
		}
	}
	if n := len(engine.Vocabulary()); len(seen) != n {
		t.Errorf("%d facts of %d were tried", len(seen), n)
	}
}

// TestLinesSayNoText fills every text a fact can hold, and looks for it in the record.
func TestLinesSayNoText(t *testing.T) {
	const canary = "rm -rf canary"
	for _, f := range []engine.Fact{
		engine.Described{Title: canary, Prompt: canary}, engine.CallOpened{Call: "c", Text: canary}, engine.Asked{Key: "k", Text: canary},
		engine.AgentRan{Agent: "a", Task: canary}, engine.Wished{On: true, Text: canary}, engine.Coloured{Name: canary, Color: canary},
	} {
		text, err := json.Marshal(engine.Line{Told: t0, Event: engine.Event{By: engine.Hook, Fact: f}})
		if err != nil || strings.Contains(string(text), "canary") {
			t.Errorf("%s %v", text, err)
		}
	}
}

// TestBadLines checks that a line which makes no sense says what it lacks.
func TestBadLines(t *testing.T) {
	for line, want := range map[string]string{
		`{`: "unexpected end", `[]`: "cannot unmarshal", `{"by":"hook","fact":"lived"}`: "needs its time",
		`{"at":"2026-01-01T00:00:00Z","by":"hook","fact":"woke"}`:                                      `no fact is called "woke"`,
		`{"at":"2026-01-01T00:00:00Z","by":"hook"}`:                                                    `no fact is called ""`,
		`{"at":"2026-01-01T00:00:00Z","fact":"lived"}`:                                                 "needs its witness",
		`{"at":"2026-01-01T00:00:00Z","by":"ghost","fact":"lived"}`:                                    `no witness is called "ghost"`,
		`{"at":"2026-01-01T00:00:00Z","by":"hook","fact":"call_opened","call":7}`:                      "cannot unmarshal",
		`{"at":"2026-01-01T00:00:00Z","by":"hook","fact":"call_opened","call":"c","quiet":"sluggish"}`: `no limit is called "sluggish"`,
		`{"at":"yesterday","by":"hook","fact":"lived"}`:                                                "parsing time",
	} {
		var l engine.Line
		if err := json.Unmarshal([]byte(line), &l); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", line, err, want)
		}
	}
}

// FuzzLine feeds lines of anybody's.
func FuzzLine(f *testing.F) {
	r := rand.New(rand.NewPCG(2, 7))
	for range 40 {
		text, _ := json.Marshal(engine.Line{Told: t0, Event: anyEvent(r)})
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var l engine.Line
		if json.Unmarshal(text, &l) != nil {
			return
		}
		again, err := json.Marshal(l)
		if err != nil {
			t.Skip() // a year of five digits
		}
		var back engine.Line
		if err := json.Unmarshal(again, &back); err != nil {
			t.Fatalf("%s became %s: %v", text, again, err)
		}
		engine.New(engine.DefaultLimits()).Apply(t0, l.Event)
	})
}
