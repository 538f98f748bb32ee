package copilot

import (
	"maps"
	"slices"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
	"deskbell/sources/clitest"
)

const (
	id     = "252f77cf-7005-4f2b-8d28-759295ae06d9"
	folder = "session-state/" + id + "/"
)

func FuzzEvents(f *testing.F) {
	for _, text := range clitest.Seeds(f, (*clitest.Recording).Lines) {
		f.Add([]byte(text), []byte(text))
	}
	f.Fuzz(func(t *testing.T, one, two []byte) {
		translate := events(folder+"events.jsonl", one)
		for _, line := range [][]byte{one, two} {
			got, err := translate(line)
			if err != nil && len(got) > 0 {
				t.Errorf("%v, and yet %v", err, got)
			}
			clitest.Safe(t, tool, got)
		}
	})
}

func FuzzLists(f *testing.F) {
	for _, text := range clitest.Seeds(f, (*clitest.Recording).Texts) {
		f.Add("inuse.41.lock", []byte(text))
		f.Add("workspace.yaml", []byte(text))
	}
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		for _, read := range []func(sources.File) ([]engine.Event, error){open, lock, workspace} {
			got, err := read(sources.File{Rel: folder + name, Text: text, Mod: time.Unix(1, 0)})
			if err != nil && len(got) > 0 {
				t.Errorf("%v, and yet %v", err, got)
			}
			clitest.Safe(t, tool, got)
		}
	})
}

func FuzzHook(f *testing.F) { clitest.FuzzHook(f, tool, hook, slices.Collect(maps.Keys(hooks))...) }
