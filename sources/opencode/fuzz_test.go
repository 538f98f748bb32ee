package opencode

import (
	"encoding/json"
	"strings"
	"testing"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/clitest"
)

// sound checks what must hold of every event, whatever was read.
func sound(t *testing.T, events []engine.Event) {
	t.Helper()
	clitest.Sound(t, tool, events)
	for _, ev := range events {
		if !form.MatchString(ev.Who.ID) || ev.At.IsZero() {
			t.Errorf("%+v", ev)
		}
	}
}

// FuzzRow reads rows with whatever text in them.
func FuzzRow(f *testing.F) {
	for _, l := range recorded(f) {
		if l.Raw == "row" {
			f.Add(l.Table, l.Row.Text("role"), l.Row.Text("data"), l.Row.Text("title"), l.Row.Text("rules"), l.Row.Text("root"), l.Row.Int("created"))
		}
	}
	tables := map[string]sources.Table{}
	for _, table := range CLI.Bases[0].Tables {
		tables[table.Name] = table
	}
	f.Fuzz(func(t *testing.T, table, role, data, title, rules, root string, created int64) {
		one, known := tables[table]
		if !known {
			return
		}
		r := sources.Row{
			"id": "x", "session": id, "root": root, "dir": "/w", "title": title, "rules": rules, "kind": title, "role": role, "data": data,
			"created": created, "updated": created, "after": "msg_1",
		}
		events, err := one.Read(r)
		if err == nil && table != "session" && data != "" && form.MatchString(root) && !json.Valid([]byte(data)) {
			t.Errorf("%q was no error", data)
		}
		sound(t, events)
		if one.Open(r) && events == nil && err == nil && form.MatchString(root) && created > 0 && table != "session" {
			t.Errorf("%q is open, and says nothing", data)
		}
	})
}

// FuzzHook reads payloads of the plugin.
func FuzzHook(f *testing.F) {
	for _, l := range recorded(f) {
		if l.Raw == "hook" {
			f.Add([]byte(l.Payload))
		}
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		events, err := hook(sources.Hook{Payload: payload, At: began, PID: 41})
		if err != nil && json.Valid(payload) && !strings.Contains(err.Error(), "plugin: ") {
			t.Errorf("%v", err)
		}
		sound(t, events)
		for _, ev := range events {
			if ev.At.After(began.Add(lag)) || ev.At.Before(began.Add(-lag)) {
				t.Errorf("%v is of %v", ev.Fact, ev.At)
			}
		}
	})
}
