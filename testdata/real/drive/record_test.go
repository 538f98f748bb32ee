package main

import (
	"slices"
	"testing"
)

func TestDiffer(t *testing.T) {
	a := change{SessionID: "a", From: "idle", To: "working", Rule: "turn.begun"}
	b := change{SessionID: "b", From: "unknown", To: "idle", Rule: "idle"}
	other := change{SessionID: "a", From: "idle", To: "working", Rule: "write.fresh"}
	const says = "the replay of session a shows [idle -> working write.fresh,], the stream had [idle -> working turn.begun,]"
	for _, test := range []struct {
		name           string
		stream, replay []change
		want           []string
	}{
		{"none", nil, nil, nil},
		{"the same", []change{a, b}, []change{b, a}, nil},
		{"another rule", []change{a, b}, []change{b, other}, []string{says}},
		{"one too many", nil, []change{b}, []string{"the replay of session b shows [unknown -> idle idle,], the stream had [none]"}},
	} {
		if got := differ(test.stream, test.replay); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
