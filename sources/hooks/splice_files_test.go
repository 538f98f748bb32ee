package hooks

import "strings"

// hostile are settings files as people and programs leave them.
var hostile = []struct{ name, text string }{
	{"C78 rich", `{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "model": "opus",
  "env": {"A": "1", "B": "with \"quotes\" and \\ and ü"},
  "permissions": {
    "allow": ["Bash(npm run *)", "Read(//etc/**)"],
    "deny": []
  },
  "statusLine": {"type": "command", "command": "~/.claude/line.sh"},
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          {"type": "command", "command": "~/bin/check.sh"}
        ]
      }
    ]
  },
  "enabledPlugins": {"a@b": true},
  "zz": null
}
`},
	{"C79 foreign hooks in our events", `{
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "say done"}]}
    ],
    "Notification": [
      {"matcher": "", "hooks": [{"type": "command", "command": "say hey", "timeout": 3}]},
      {"matcher": "idle_prompt", "hooks": []}
    ]
  }
}`},
	{"C83 empty object", "{}"},
	{"empty object and line", "{}\n"},
	{"spaced empty object", "{ }"},
	{"empty object over lines", "{\n}\n"},
	{"empty object over blank lines", "{\n\n\n}\n"},
	{"only comments inside", "{\n  // nothing yet\n}\n"},
	{"block comment inside", "{ /* nothing yet */ }"},
	{"blank file", ""},
	{"white space", " \n\t\n"},
	{"only a mark", "\ufeff"},
	{"mark", "\ufeff{\n  \"model\": \"opus\"\n}\n"},
	{"mark and carriage returns", "\ufeff{\r\n  \"model\": \"opus\"\r\n}\r\n"},
	{"carriage returns", "{\r\n  \"model\": \"opus\",\r\n  \"hooks\": {\r\n    \"Stop\": [\r\n    ]\r\n  }\r\n}\r\n"},
	{"carriage returns and comments", "{\r\n  // a\r\n  \"model\": \"opus\" // b\r\n  // c\r\n}\r\n"},
	{"mixed line ends", "{\n  \"a\": 1,\r\n  \"b\": 2 // c\r\n}\n"},
	{"odd carriage returns", "{\n  \"a\": 1, // x\r\r\n  \"b\": 2 // c\r\r\n}\n"},
	{"tabs", "{\n\t\"model\": \"opus\",\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"hooks\": []\n\t\t\t}\n\t\t]\n\t}\n}\n"},
	{"four spaces", "{\n    \"model\": \"opus\",\n    \"hooks\": {\n    }\n}\n"},
	{"one space, no final line end", "{\n \"model\": \"opus\"}"},
	{"no indentation", "{\n\"model\": \"opus\",\n\"hooks\": {}\n}\n"},
	{"minified", `{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}],"PreToolUse":[]},"a":[]}`},
	{"minified without hooks", `{"model":"opus"}`},
	{"one line", `{ "model": "opus", "hooks": { "Stop": [ ] } }`},
	{"one line, hooks", `{ "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "x" } ] } ] } }`},
	{"several on a line", "{\n  \"a\": 1, \"b\": 2,\n  \"c\": 3, \"d\": 4\n}\n"},
	{"trailing commas", "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"x\",},\n        ],\n      },\n    ],\n  },\n}\n"},
	{"trailing comma on one line", `{"model": "opus", "hooks": {"Stop": [{"hooks": [],},],},}`},
	{"trailing comma after a comment", "{\n  \"a\": 1 /* x */ , // y\n}\n"},
	{"comments everywhere", "// top\n{ // open\n  /* a */ \"a\" /* b */ : /* c */ 1 /* d */, // e\n  \"hooks\": { // f\n    // g\n    \"Stop\": [ // h\n      // i\n      { \"hooks\": [] } // j\n      // k\n    ] /* l */ // m\n    // n\n  } // o\n  // p\n} // q\n// r\n"},
	{"comment at the very end", "{\n  \"a\": 1\n} // end"},
	{"comment over lines behind the last", "{\n  \"a\": 1 /* x\n  y */\n}\n"},
	{"line comment that ends in spaces", "{\n  \"a\": 1 // x   \n}\n"},
	{"brackets in a comment", "{\n  \"a\": 1, // }]{[\"\n  \"b\": 2 /* \"hooks\": { */\n}\n"},
	{"brackets and slashes in strings", `{"a": "}]{[ // no /* comment */ \" \\", "b": "deskbell-hook"}`},
	{"empty hooks", "{\n  \"hooks\": {},\n  \"a\": 1\n}\n"},
	{"empty hooks over lines", "{\n  \"hooks\": {\n  },\n  \"a\": 1\n}\n"},
	{"hooks with a comment", "{\n  \"hooks\": { /* later */ }\n}\n"},
	{"hooks with a line comment", "{\n  \"hooks\": {\n    // later\n  }\n}\n"},
	{"hooks with a line comment, one line else", "{ \"hooks\": { // later\n } }"},
	{"empty events", "{\n  \"hooks\": {\n    \"Stop\": [],\n    \"SessionEnd\": [ ],\n    \"SessionStart\": [\n\n    ]\n  }\n}\n"},
	{"hooks is first", "{\n  \"hooks\": {\n    \"Other\": []\n  },\n  \"a\": 1\n}\n"},
	{"hooks twice", "{\n  \"hooks\": {\"Stop\": [{\"hooks\": []}]},\n  \"hooks\": {\"Stop\": [], \"Stop\": []}\n}\n"},
	{"escaped names", `{"h\u006foks": {"St\u006fp": [{"h\u006foks": [{"type": "command", "command": "x"}]}]}}`},
	{"strange groups", `{"hooks": {"Stop": [null, 1, "x", [], {}, {"hooks": null}, {"hooks": {}}, {"hooks": [null, 1, {}, {"command": 1}]}]}}`},
	{"a foreign program that names ours", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "wrap --then /usr/bin/deskbell-hook"}, {"type": "command", "command": "/x/deskbell-hook-old"}, {"type": "http", "url": "http://x/deskbell-hook"}]}]}}`},
	{"hooks are off", "{\n  \"disableAllHooks\": true\n}\n"},
	{"invalid UTF-8 in a string", "{\n  \"a\": \"\xff\xfe\"\n}\n"},
	{"closing bracket on the last line", "{\n  \"hooks\": {\n    \"Stop\": [\n      {}]},\n  \"a\": 1}"},
	{"first member beside the bracket", "{ \"a\": 1,\n  \"b\": 2 }\n"},
	{"names with spaces before the colon", "{\n  \"a\" : 1,\n  \"b\" : 2\n}\n"},
	{"many", "{\n" + strings.Repeat("  \"k\": [\n    1,\n    2\n  ],\n", 300) + "  \"z\": 0\n}\n"},
}

// broken are files that are refused, and what is said about them.
var broken = []struct{ name, text, says string }{
	{"cut", "{\n  \"model\": \"op", "line 2, column 15: parsing string: unexpected EOF"},
	{"cut in an object", "{\n  \"a\": {\n", "line 3, column 1: parsing value: unexpected EOF"},
	{"no comma", "{\n  \"ü\": 1 \"b\": 2\n}", `line 2, column 10: invalid character '"' after object value (expecting ',' or '}')`},
	{"no quotes", "{\n  model: 1\n}", "line 2, column 3: not a valid JSON value"},
	{"two values", "{}\n{}", "line 2, column 1: invalid character '{' after top-level value"},
	{"a list", "[]", "line 1, column 1: not an object"},
	{"a string", "\n \"x\"", "line 2, column 2: not an object"},
	{"null", "null", "line 1, column 1: not an object"},
	{"hooks null", "{\n  \"hooks\": null\n}", `line 2, column 12: "hooks" is not an object`},
	{"hooks a list", `{"hooks": []}`, `line 1, column 11: "hooks" is not an object`},
	{"event no list", "{\"hooks\": {\n \"Stop\": {}}}", `line 2, column 10: "Stop" is not a list`},
	{"comment that does not end", "{\n /* x", "line 2, column 2: parsing comment: unexpected EOF"},
	{"conflict", "{\n<<<<<<< HEAD\n}", "line 2, column 1: invalid character '<' at start of value"},
	{"UTF-16", "\xff\xfe{\x00}\x00", "line 1, column 1: "},
	{"zero bytes", "\x00\x00\x00\x00", "line 1, column 1: "},
	{"a secret", "{\"key\": \"s3cret\x01\"}", "line 1, column 9: not a valid JSON value"},
	{"deep", strings.Repeat("[", 1_000_000), "line 1, column 501: nested too deep"},
	{"deep in objects", strings.Repeat(`{"a":`, 1_000_000), "line 1, column 2501: nested too deep"},
}
