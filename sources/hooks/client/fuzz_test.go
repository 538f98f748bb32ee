package client

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// seeds are payloads: what CLIs send, and what nobody should.
var seeds = []string{
	payload,
	`{"session_id":"3f0c","cwd":"/w","prompt":"a \"quoted\" \u00e9\\","background_tasks":[{"id":"b1","type":"shell"}],"n":-1.5e3,"ok":true,"none":null}`,
	"\ufeff {}\n{}", `[]`, `"a\"b" `, ` 12 3`, `{"a":[{"b":"]}"}]}x`, "{\"a\":\"\x00\xff\"}", `{"a":"\u12"`, `}`, "", `{"":{"":{"":[[],[]]}}}`,
	`{"a":"` + strings.Repeat("x", 70) + `\u001b[31m \"quoted\" \\","b":"{"}`,
	`{"a":"` + strings.Repeat(`\ud83d\ude00ü`, 40) + `","b":[` + strings.Repeat("1,", 60) + `1],"c":{"d":"` + strings.Repeat("x", 90) + `"},"e":1}`,
}

// FuzzScan checks that the end of a value is where encoding/json has it, in whatever
// parts the text comes.
func FuzzScan(f *testing.F) {
	for i, s := range seeds {
		f.Add([]byte(s), uint8(i))
	}
	f.Fuzz(func(t *testing.T, text []byte, part uint8) {
		var s scanner
		var got []byte
		done := false
		for i := 0; i < len(text) && !done; {
			n := min(int(part)%7+1, len(text)-i)
			from, to, d := s.next(text[i : i+n])
			got, done = append(got, text[i+from:i+to]...), d
			i += n
		}
		d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
		var want json.RawMessage
		if d.Decode(&want) != nil || want[0] != '{' && want[0] != '[' && want[0] != '"' {
			return // where a bare word ends is a matter of taste
		}
		if !done || !bytes.Equal(got, want) {
			t.Errorf("%q: got %q %v, want %q", text, got, done, want)
		}
	})
}

// FuzzCut checks that what is left of an object is an object, of bounded size, that
// has every small member that comes before there is no more room.
func FuzzCut(f *testing.F) {
	for i, s := range seeds {
		f.Add([]byte(s), uint16(i*30))
	}
	f.Fuzz(func(t *testing.T, text []byte, limit uint16) {
		c := cutter{whole: 100 + int(limit)%1000, member: 60, outer: 20, inner: 5}
		half := len(text) / 2
		c.add(text[:half])
		c.add(text[half:])
		got := c.finish()
		if len(got) > c.whole {
			t.Fatalf("%d bytes left of %d, at most %d", len(got), len(text), c.whole)
		}
		var in map[string]json.RawMessage
		if json.Unmarshal(text, &in) != nil || text[0] != '{' {
			return
		}
		var out map[string]json.RawMessage
		if err := json.Unmarshal(got, &out); err != nil {
			t.Fatalf("%q became %q: %v", text, got, err)
		}
		if len(text) > c.whole-reserve {
			return
		}
		for name, value := range in {
			if len(name) < 5 && len(value) < 6 && !bytes.Equal(out[name], value) && bytes.Count(text, []byte(`"`+name+`"`)) == 1 {
				t.Errorf("%q became %q: %q is %q, want %q", text, got, name, out[name], value)
			}
		}
	})
}

// FuzzParse checks that no frame is too odd to be read, and that one that was written
// reads the same.
func FuzzParse(f *testing.F) {
	sample := Frame{Tool: "claude", Event: "Stop", Wall: 1, Boot: 2, BootID: "x", Self: 3, PID: 4, Ticks: 5, TTY: "/dev/pts/1",
		Env: []string{"TERM=xterm", "TMUX=a=b"}, Size: 6, Cut: true, Payload: []byte(payload)}
	f.Add(sample.Append(nil))
	f.Add((&Frame{}).Append(nil))
	f.Add([]byte(Magic + "\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Add([]byte(Magic + "\x00\x00\x00\x02\x00\x00\x00\x00=="))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := Parse(text)
		n, wrong := Length(text)
		if err != nil {
			if wrong == nil && n > 0 && len(text) >= n {
				t.Errorf("%q is a frame of %d bytes that cannot be read: %v", text, n, err)
			}
			return
		}
		again, err := Parse(got.Append([]byte("before"))[len("before"):])
		if err != nil {
			t.Fatalf("%+v: %v", got, err)
		}
		if got.Tool != again.Tool || got.Wall != again.Wall || got.PID != again.PID && got.PID >= 0 || got.Ticks != again.Ticks ||
			got.Cut != again.Cut || !bytes.Equal(got.Payload, again.Payload) || len(got.Env) != len(again.Env) &&
			!slices.Contains(got.Env, "") && !tooLong(got.Env) {
			t.Errorf("%+v became %+v", got, again)
		}
	})
}

func tooLong(list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return len(s) > longest })
}
