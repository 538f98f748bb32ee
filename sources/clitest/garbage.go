package clitest

import "strings"

// Garbage is what a parser of foreign files meets sooner or later: cut, mistyped,
// binary and huge. Nothing of it says anything about a session.
func Garbage() (out [][]byte) {
	for _, s := range []string{
		"", " ", "\n", "null", "true", "0", "-1", "1e999", `""`, `"user"`, "[]", "{}", "[[]]", `[{"type":"user"}]`,
		"{", "}", `{"`, `{"type`, `{"type":`, `{"type":"us`, `{"type":"user","message":{"content":"x`,
		`{"type":null}`, `{"type":1}`, `{"type":[]}`, `{"type":{}}`, `{"type":true}`,
		`{"type":"user"}`, `{"type":"user","message":null}`, `{"type":"user","message":1}`, `{"type":"user","message":[]}`,
		`{"type":"user","message":{"content":1}}`, `{"type":"user","message":{"content":{}}}`, `{"type":"user","message":{"content":[1,null,"x"]}}`,
		`{"type":"assistant","message":"x"}`, `{"type":"system","subtype":1}`, `{"type":"system"}`, `{"type":"nobody knows"}`,
		`{"pid":"x"}`, `{"pid":-1,"sessionId":"x","status":"busy"}`, `{"pid":1.5,"sessionId":"x"}`, `{"pid":99999999999999999999,"sessionId":"x"}`,
		`{"pid":7}`, `{"sessionId":"x"}`, `{"pid":7,"sessionId":["x"]}`, `{"pid":7,"sessionId":{},"status":{}}`,
		`{"hooks":1}`, `{"hooks":[]}`, `{"hooks":{"PermissionRequest":1}}`, `{"hooks":{"PermissionRequest":[1,null,{"hooks":7}]}}`,
		"\x00", "\x00\x00\x00{}", "\xff\xfe\x00", "\xef\xbb\xbf{}", "\x1f\x8b\x08\x00\x00", "not json at all", "<html></html>",
		strings.Repeat("[", 20_000), strings.Repeat(`{"a":`, 5_000), strings.Repeat("x", 1<<20), `{"type":"` + strings.Repeat("x", 1<<20) + `"}`,
	} {
		out = append(out, []byte(s))
	}
	return out
}
