package config

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"deskbell/engine"
)

var world = World{Tools: []string{"claude", "codex"}, Home: "/home/ann"}

// load parses a text that has nothing wrong.
func load(t *testing.T, text string) Config {
	t.Helper()
	c, problems := Parse("config.toml", []byte(text), world)
	for _, p := range problems {
		t.Errorf("%s\nin\n%s", p, text)
	}
	return c
}

// switchedOn takes the "#" away from the keys of a sample.
func switchedOn(sample string) string {
	lines := strings.Split(sample, "\n")
	for i, line := range lines {
		if key, ok := strings.CutPrefix(line, "#"); ok && !strings.HasPrefix(key, " ") {
			lines[i] = key
		}
	}
	return strings.Join(lines, "\n")
}

// TestSample checks that the sample says what holds without it, as it is printed and with
// every key in it switched on.
func TestSample(t *testing.T) {
	want, sample := Default(world), Sample(world)
	if got := load(t, sample); !reflect.DeepEqual(got, want) {
		t.Errorf("as it is: got %+v, want %+v", got, want)
	}
	got := load(t, switchedOn(sample))
	if len(got.Rules) != 1 || got.Rules[0].Dir.Text == "" {
		t.Errorf("got the rules %+v, want the one of the sample", got.Rules)
	}
	got.Rules = nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("switched on: got %+v, want %+v", got, want)
	}
	for n, line := range strings.Split(sample, "\n") {
		if len(line) > wide {
			t.Errorf("line %d is too long: %s", n+1, line)
		}
	}
}

// TestSampleLines checks that any one key of the sample can be switched on.
func TestSampleLines(t *testing.T) {
	want, lines := Default(world), strings.Split(Sample(world), "\n")
	keys := 0
	for i, line := range lines {
		key, ok := strings.CutPrefix(line, "#")
		if !ok || strings.HasPrefix(key, " ") {
			continue
		}
		if strings.HasPrefix(key, "[[") {
			break // keys of rules make no sense alone
		}
		keys++
		one := append([]string{}, lines...)
		one[i] = key
		if got := load(t, strings.Join(one, "\n")); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", key, got, want)
		}
	}
	if keys < 40 {
		t.Errorf("only %d keys", keys)
	}
}

// TestTable checks the form of the rows.
func TestTable(t *testing.T) {
	for _, s := range table {
		seen := map[string]bool{}
		for _, k := range s.keys {
			for _, name := range []string{k.name, k.also} {
				if name != "" && seen[name] {
					t.Errorf("%s.%s is there twice", s.name, name)
				}
				seen[name] = true
			}
			if k.says == "" || strings.Contains(k.says, "\n") || k.value == "" && (s.name != rules || k.model == "") {
				t.Errorf("%s.%s: the row is not complete: %+v", s.name, k.name, k)
			}
		}
	}
}

// TestLimits checks that every limit can be set, under its name and to itself.
func TestLimits(t *testing.T) {
	def := engine.DefaultLimits()
	if got := Default(world).Limits; got != def {
		t.Errorf("got %v, want %v", got, def)
	}
	for i := range def {
		l := engine.Limit(i)
		if l == engine.Always {
			continue
		}
		want := def
		want[l] = def[l] + time.Second
		text := "[limits]\n" + l.String() + " = \"" + want[l].String() + "\"\n"
		if got := load(t, text).Limits; got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}
