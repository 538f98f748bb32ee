package cursor

import (
	"maps"
	"slices"
	"testing"

	"deskbell/sources"
	"deskbell/sources/clitest"
)

const (
	id     = "72e9d9b5-4f5a-4b2d-8429-6dc8dbe3b4e9"
	folder = "projects/home-dev-proj/agent-transcripts/" + id + "/"
)

func FuzzTranscript(f *testing.F) {
	for _, text := range clitest.Seeds(f, (*clitest.Recording).Lines) {
		f.Add([]byte(text), []byte(text))
	}
	f.Add([]byte(`{"role":"user","message":{"content":[{"type":"tool_result","text":"x"}]}}`), []byte(`{"role":"user","message":{"content":"<system_reminder>x"}}`))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		for _, translate := range []sources.Translate{transcript(folder+id+".jsonl", one), agent(folder+"subagents/x.jsonl", one)} {
			for _, line := range [][]byte{one, two} {
				got, err := translate(line)
				if err != nil && len(got) > 0 {
					t.Errorf("%v, and yet %v", err, got)
				}
				clitest.Safe(t, tool, got)
			}
		}
	})
}

func FuzzHook(f *testing.F) { clitest.FuzzHook(f, tool, hook, slices.Collect(maps.Keys(hooks))...) }
