package clitest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"deskbell/engine"
)

// Written is a fact as tables of tests have it: its name, and its fields that are not
// empty, but for its key, which is a hash.
func Written(f engine.Fact) string {
	v := reflect.ValueOf(f)
	var fields []string
	for i := range v.NumField() {
		if !v.Field(i).IsZero() && v.Type().Field(i).Name != "Key" {
			fields = append(fields, fmt.Sprintf("%s:%v", v.Type().Field(i).Name, v.Field(i)))
		}
	}
	return v.Type().Name() + "{" + strings.Join(fields, " ") + "}"
}

// Compare checks what events say, one fact a line.
func Compare(t *testing.T, got []engine.Event, want ...string) {
	t.Helper()
	var facts []string
	for _, ev := range got {
		facts = append(facts, Written(ev.Fact))
	}
	if g, w := strings.Join(facts, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}
