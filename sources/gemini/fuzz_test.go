package gemini

import (
	"testing"

	"deskbell/sources"
	"deskbell/sources/clitest"
)

const (
	id   = "fa1ac43f-d563-4fb2-991a-de433859e7dd"
	main = "tmp/proj/chats/session-2026-11-30T07-30-fa1ac43f.jsonl"
	head = `{"sessionId":"` + id + `","startTime":"2026-11-30T07:30:44.976Z","kind":"main"}`
)

func FuzzChat(f *testing.F) {
	for _, text := range clitest.Seeds(f, (*clitest.Recording).Lines) {
		f.Add([]byte(head), []byte(text), []byte(text))
		f.Add([]byte(text), []byte(text), []byte(head))
	}
	f.Fuzz(func(t *testing.T, first, one, two []byte) {
		for _, translate := range []sources.Translate{chat(main, first), agent("tmp/proj/chats/"+id+"/x.jsonl", first)} {
			if translate == nil {
				continue
			}
			for _, line := range [][]byte{first, one, two} {
				got, err := translate(line)
				if err != nil && len(got) > 0 {
					t.Errorf("%v, and yet %v", err, got)
				}
				clitest.Safe(t, tool, got)
			}
		}
	})
}

func FuzzHook(f *testing.F) {
	f.Add("Notification", []byte(`{"session_id":"`+id+`","notification_type":"ToolPermission","details":{"type":"mcp","toolName":"x","title":"y"}}`))
	clitest.FuzzHook(f, tool, hook, "AfterTool")
}
