package hooks

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	clis "deskbell/sources/all"
)

// targets are the CLIs there are.
var targets = targetsOf(clis.CLIs())

// targetOf is that of a name.
func targetOf(name string) target {
	return targets[slices.IndexFunc(targets, func(t target) bool { return t.name == name })]
}

var claude = targetOf("claude")

// wanted is a wish as it is in real life.
func wanted(d Density) wish {
	return wish{claude.at(d), func(event string) string {
		return claude.command("/home/u/.local/share/deskbell/bin/deskbell-hook", event, false)
	}}
}

// TestHostileFiles installs into each file, again, at other densities, and takes
// it out: the first bytes come back.
func TestHostileFiles_C78_C79_C83(t *testing.T) {
	if len(hostile) < 25 {
		t.Fatal("too few")
	}
	for _, test := range hostile {
		t.Run(test.name, func(t *testing.T) {
			first := []byte(test.text)
			var texts []string
			for _, d := range []Density{Low, Medium, High, Low, Medium, Medium} {
				before := first
				if len(texts) > 0 {
					before = []byte(texts[len(texts)-1])
				}
				out, err := claude.installed(before, first, wanted(d))
				if err != nil {
					t.Fatalf("%s: %v\n%s", d, err, before)
				}
				if again, err := claude.installed(out, first, wanted(d)); err != nil || !bytes.Equal(again, out) {
					t.Fatalf("%s again: %v, got\n%q\nwant\n%q", d, err, again, out)
				}
				back, err := claude.uninstalled(out, first)
				if err != nil || back == nil || string(back) != test.text {
					t.Fatalf("%s: %v, got back\n%q\nwant\n%q\ninstalled\n%s", d, err, back, test.text, out)
				}
				texts = append(texts, string(out))
			}
			if none, err := claude.uninstalled(first, nil); err != nil || !bytes.Equal(none, first) {
				t.Errorf("removal of nothing: %v, got\n%q\nwant\n%q", err, none, first)
			}
		})
	}
}

// TestNoBackup removes without knowing what was before: only what was empty may go.
func TestNoBackup_C81(t *testing.T) {
	for _, test := range hostile {
		out, err := claude.installed([]byte(test.text), nil, wanted(Medium))
		if err != nil {
			t.Fatal(test.name, err)
		}
		back, err := claude.uninstalled(out, nil)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if got, want := meaning(t, back), meaning(t, []byte(test.text)); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, want)
		}
	}
}

func TestBroken(t *testing.T) {
	for _, test := range broken {
		out, err := claude.installed([]byte(test.text), nil, wanted(Medium))
		var b *Broken
		if !errors.As(err, &b) || !strings.HasPrefix(err.Error(), test.says) || out != nil {
			t.Errorf("%s: got %v, want %s", test.name, err, test.says)
		}
		if strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: told a value: %v", test.name, err)
		}
	}
}

// TestOldEntries replaces what earlier versions and other places left.
func TestOldEntries_C80_C81(t *testing.T) {
	for _, test := range []struct{ name, text, without string }{
		{"another path", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/homebrew/Cellar/deskbell/0.1/bin/deskbell-hook claude"}]}]}}`, `{}`},
		{"quoted, with a space", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "'/home/a b/deskbell-hook' claude Stop"}]}]}}`, `{}`},
		{"double quotes", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "\"C:/Users/A B/deskbell-hook.exe\" claude"}]}]}}`, `{}`},
		{"backslashes", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "C:\\Users\\ab\\deskbell-hook.EXE"}]}]}}`, `{}`},
		{"a quote in it", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "'/home/o'\\''neil/deskbell-hook'"}]}]}}`, `{}`},
		{"no path", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "deskbell-hook"}]}]}}`, `{}`},
		{"redirected", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/x/deskbell-hook>/dev/null 2>&1 || true"}]}]}}`, `{}`},
		{"with args", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/home/a b/deskbell-hook", "args": ["claude"]}]}]}}`, `{}`},
		{"twice", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/x/deskbell-hook"}]}, {"hooks": [{"type": "command", "command": "/y/deskbell-hook"}, {"type": "command", "command": "/z/deskbell-hook"}]}]}}`, `{}`},
		{"beside a foreign one", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}, {"type": "command", "command": "/x/deskbell-hook"}, {"type": "command", "command": "b"}]}]}}`,
			`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}, {"type": "command", "command": "b"}]}]}}`},
		{"before a foreign one", `{"hooks": {"Stop": [{"matcher": "", "hooks": [{"command": "/x/deskbell-hook"}, {"command": "b"}]}]}}`,
			`{"hooks": {"Stop": [{"matcher": "", "hooks": [ {"command": "b"}]}]}}`},
		{"in a group with a matcher", `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"command": "/x/deskbell-hook"}]}]}}`,
			`{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}]}}`},
		{"in an event we do not use", `{"hooks": {"FileChanged": [{"hooks": [{"command": "/x/deskbell-hook"}]}], "Stop": []}}`, `{"hooks": { "Stop": []}}`},
		{"hooks twice", `{"hooks": {"Stop": [{"hooks": [{"command": "/x/deskbell-hook"}]}]}, "a": 1, "hooks": {"Stop": [{"hooks": [{"command": "deskbell-hook"}]}]}}`, `{ "a": 1}`},
		{"commented by the user", "{\"hooks\": {\"Stop\": [\n // mine\n {\"hooks\": [{\"command\": \"/x/deskbell-hook\"}]} ]}}", "{\"hooks\": {\"Stop\": [\n // mine\n ]}}"},
	} {
		out, err := claude.installed([]byte(test.text), nil, wanted(Medium)) // which checks that ours are there once
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		for _, text := range []string{test.text, string(out)} {
			got, err := claude.bare([]byte(text), nil)
			if err != nil || meaning(t, got) != meaning(t, []byte(test.without)) {
				t.Errorf("%s: %v, got %s, want %s", test.name, err, got, test.without)
			}
			if text == test.text && test.without != "{}" && string(got) != test.without {
				t.Errorf("%s: got\n%s, want\n%s", test.name, got, test.without)
			}
		}
	}
}

// TestPutRight checks that an entry is mended where it is.
func TestPutRight(t *testing.T) {
	w := wish{[]string{"Stop"}, wanted(Low).command}
	text := "{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\"hooks\": [{\"command\": \"/x/deskbell-hook\"}, {\"command\": \"b\"}]}\n\t\t]\n\t},\n\t\"a\": 1\n}"
	want := strings.Replace(text, `{"command": "/x/deskbell-hook"}`, `{"type": "command", "command": "/home/u/.local/share/deskbell/bin/deskbell-hook claude", "async": true, "timeout": 5}`, 1)
	if got, err := claude.installed([]byte(text), nil, w); err != nil || string(got) != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
	text = "{\n\t\"hooks\": {\n\t\t\"Stop\": [{\"hooks\": [\n\t\t\t{\n\t\t\t\t\"command\": \"deskbell-hook\"\n\t\t\t}\n\t\t]}]\n\t}\n}"
	want = "{\n\t\"hooks\": {\n\t\t\"Stop\": [{\"hooks\": [\n\t\t\t{\n\t\t\t\t\"type\": \"command\",\n\t\t\t\t\"command\": \"/home/u/.local/share/deskbell/bin/deskbell-hook claude\",\n\t\t\t\t\"async\": true,\n\t\t\t\t\"timeout\": 5\n\t\t\t}\n\t\t]}]\n\t}\n}"
	if got, err := claude.installed([]byte(text), nil, w); err != nil || string(got) != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
}

// TestStyle checks that what is written looks like the rest.
func TestStyle(t *testing.T) {
	w := wish{[]string{"Stop"}, func(string) string { return "deskbell-hook" }}
	for _, test := range []struct{ text, want string }{
		{"", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"deskbell-hook\",\n            \"async\": true,\n            \"timeout\": 5\n          }\n        ]\n      }\n    ]\n  }\n}\n"},
		{`{"a":1}`, `{"a":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"deskbell-hook","async":true,"timeout":5}]}]}}`},
		{`{ "a": 1 }`, `{ "a": 1, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "deskbell-hook", "async": true, "timeout": 5}]}]} }`},
		{"{\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [\r\n\t\t\t{} // x\r\n\t\t]\r\n\t}\r\n}",
			"{\r\n\t\"hooks\": {\r\n\t\t\"Stop\": [\r\n\t\t\t{}, // x\r\n\t\t\t{\r\n\t\t\t\t\"hooks\": [\r\n\t\t\t\t\t{\r\n\t\t\t\t\t\t\"type\": \"command\",\r\n\t\t\t\t\t\t\"command\": \"deskbell-hook\",\r\n\t\t\t\t\t\t\"async\": true,\r\n\t\t\t\t\t\t\"timeout\": 5\r\n\t\t\t\t\t}\r\n\t\t\t\t]\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}"},
		{"{\n    \"hooks\": {}, // y\n}\n", "{\n    \"hooks\": {\n        \"Stop\": [\n            {\n                \"hooks\": [\n                    {\n                        \"type\": \"command\",\n                        \"command\": \"deskbell-hook\",\n                        \"async\": true,\n                        \"timeout\": 5\n                    }\n                ]\n            }\n        ]\n    }, // y\n}\n"},
	} {
		if got, err := claude.installed([]byte(test.text), nil, w); err != nil || string(got) != test.want {
			t.Errorf("%q: %v, got\n%s\nwant\n%s", test.text, err, got, test.want)
		}
	}
}

// TestEditsBetween keeps what others did between install and uninstall.
func TestEditsBetween(t *testing.T) {
	first := "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n"
	out, err := claude.installed([]byte(first), []byte(first), wanted(Low))
	if err != nil {
		t.Fatal(err)
	}
	foreign := `{"hooks": [{"type": "command", "command": "say done"}]}`
	for _, test := range []struct{ name, old, new, want string }{
		{"a member", `"model": "opus"`, `"model": "haiku", "x": [1]`, "{\n  \"model\": \"haiku\", \"x\": [1],\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n"},
		{"a group before", `"Stop": [`, `"Stop": [` + foreign + `,`, "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [" + foreign + "\n    ]\n  }\n}\n"},
		{"a last member", "\n  }\n}\n", "\n  },\n  \"z\": 1\n}\n", "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": []\n  },\n  \"z\": 1\n}\n"},
		{"an event", "\n  }\n}\n", ",\n    \"Mine\": []\n  }\n}\n", "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [],\n    \"Mine\": []\n  }\n}\n"},
		{"a comment", "\"Stop\": [", "\"Stop\": [ // mine", "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [ // mine\n    ]\n  }\n}\n"},
	} {
		if !strings.Contains(string(out), test.old) {
			t.Fatalf("%s: no %q in\n%s", test.name, test.old, out)
		}
		between := strings.Replace(string(out), test.old, test.new, 1)
		got, err := claude.uninstalled([]byte(between), []byte(first))
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", test.name, err, got, test.want)
		}
	}
	if none := slices.Contains(claude.at(Low), "PreToolUse"); none {
		t.Error("low asks for tools")
	}
}
