package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"
	"unicode/utf8"

	"deskbell/engine"
	"deskbell/sources"
)

// cli is a tool whose hooks tell which of them was called.
var cli = sources.CLI{Name: "tool", Title: "Tool", Hooks: map[string]func(sources.Hook) ([]engine.Event, error){
	"Start": func(h sources.Hook) ([]engine.Event, error) {
		return []engine.Event{{Who: engine.Who{ID: "start"}}, {At: time.Unix(9, 0), By: engine.Listing, Who: engine.Who{Tool: "other", ID: h.Event}}}, nil
	},
	"Fail": func(sources.Hook) ([]engine.Event, error) { return nil, errors.New("no session") },
	"Read": func(h sources.Hook) ([]engine.Event, error) {
		return []engine.Event{{}}, json.Unmarshal(h.Payload, new(map[string]any))
	},
	"Panic": func(h sources.Hook) ([]engine.Event, error) { return nil, errors.New(h.Env["x"][5:]) },
	"*": func(h sources.Hook) ([]engine.Event, error) {
		return []engine.Event{{Who: engine.Who{ID: "any " + h.Event}}}, nil
	},
}}

func TestTranslate(t *testing.T) {
	quiet := sources.CLI{Name: "quiet", Title: "Quiet"}
	for _, c := range []struct {
		name           string
		cli            sources.CLI
		event, payload string
		want, fails    string
	}{
		{"named in the payload", cli, "", `{"hook_event_name":"Start"}`, "start", ""},
		{"named by the call", cli, "Start", `{"a":1}`, "start", ""},
		{"the payload wins", cli, "Start", `{"hook_event_name":"New"}`, "any New", ""},
		{"not known", cli, "New", `{}`, "any New", ""},
		{"without a name", cli, "", `{}`, "any ", ""},
		{"called *", cli, "*", `{}`, "any *", ""},
		{"nobody knows", quiet, "New", `{}`, "", `"New": hook event is not known`},
		{"refused", cli, "Fail", `{}`, "", `hook "Fail": no session`},
		{"a fault of ours", cli, "Panic", `{}`, "", `hook "Panic": runtime error: slice bounds out of range [5:0]`},
		{"no object", cli, "Start", `[]`, "", "a hook's payload is no JSON object (2 bytes)"},
		{"null", cli, "Start", ` null`, "", "a hook's payload is no JSON object (5 bytes)"},
		{"nothing", cli, "Start", ``, "", "a hook's payload is no JSON object (0 bytes)"},
		{"cut", cli, "Read", `{"a":`, "", "a hook's payload is no JSON object (5 bytes)"},
		{"a NUL", cli, "Read", "{\"a\":\"\x00\"}", "", "a hook's payload is no JSON object (9 bytes)"},
		{"a name that is none", cli, "Start", `{"hook_event_name":7,"a":"Stop"}`, "start", ""},
		{"a name further in", cli, "Start", `{"a":{"hook_event_name":"New"},"b":["hook_event_name","New"],"c":"hook_event_name"}`, "start", ""},
		{"after long things", cli, "", `{"a":{"b":"\\\"}"},"c":[{}],"hook_event_name" : "Start"}`, "start", ""},
		{"invalid UTF-8", cli, "Start", "{\"a\":\"\xff\"}", "start", ""},
	} {
		at := time.Unix(5, 0)
		events, err := Translate(c.cli, sources.Hook{Event: c.event, Payload: json.RawMessage(c.payload), At: at})
		if text := ""; err != nil || c.fails != "" {
			if err != nil {
				text = err.Error()
			}
			if text != c.fails || len(events) > 0 {
				t.Errorf("%s: got %v %q, want %q", c.name, events, text, c.fails)
			}
			continue
		}
		if e := events[0]; e.Who.ID != c.want || e.Who.Tool != "tool" || e.By != engine.Hook || !e.At.Equal(at) {
			t.Errorf("%s: got %+v, want %q", c.name, e, c.want)
		}
		if c.want == "start" {
			if e := events[1]; e.Who.Tool != "other" || e.By != engine.Listing || e.At.Unix() != 9 || e.Who.ID != "Start" {
				t.Errorf("%s: %+v is not what the adapter said", c.name, e)
			}
		}
	}
}

// FuzzTranslate checks that nothing that arrives brings the receiver down, and that the
// event is what encoding/json takes for it.
func FuzzTranslate(f *testing.F) {
	f.Add("Start", []byte(`{"hook_event_name":"Stop"}`))
	f.Add("Panic", []byte(`{"a":["hook_event_name",{"hook_event_name":"x"}],"hook_event_name":7}`))
	f.Add("Read", []byte(`{"a":"\\\"`))
	f.Fuzz(func(t *testing.T, event string, payload []byte) {
		_, err := Translate(cli, sources.Hook{Event: event, Payload: payload})
		if isBroken(err) && json.Valid(payload) && bytes.HasPrefix(payload, []byte("{")) {
			t.Errorf("%q was not taken for JSON", payload)
		}
		var in map[string]json.RawMessage
		if bytes.Count(payload, []byte("hook_event_name")) != 1 || bytes.ContainsRune(payload, '\\') || !utf8.Valid(payload) ||
			json.Unmarshal(payload, &in) != nil || in == nil {
			return
		}
		var want string
		if json.Unmarshal(in["hook_event_name"], &want) != nil {
			want = ""
		}
		if got, ok := eventIn(payload); got != want || !ok {
			t.Errorf("%q: got %q %v, want %q", payload, got, ok, want)
		}
	})
}
