package hooks

import (
	"slices"
	"testing"
)

// TestBeginningsAreAskedFor checks that no density asks for the end of something and not
// for its beginning (C19): who only hears of ends takes a long turn for a pause.
func TestBeginningsAreAskedFor(t *testing.T) {
	begins := map[string][]string{
		"stop": {"beforeSubmitPrompt"}, "agentStop": {"userPromptSubmitted", "sessionStart"}, "sessionEnd": {"sessionStart"}, "postToolUse": {"preToolUse"},
		"postToolUseFailure": {"preToolUse"}, "subagentStop": {"subagentStart"}, "AfterAgent": {"BeforeAgent", "SessionStart"}, "AfterTool": {"BeforeTool"},
		"Stop": {"UserPromptSubmit", "SessionStart"}, "StopFailure": {"UserPromptSubmit"}, "SessionEnd": {"SessionStart"},
		"PostToolUse": {"PreToolUse"}, "PostToolUseFailure": {"PreToolUse"}, "PostToolBatch": {"PreToolUse"}, "Notification": {"PermissionRequest", "PreToolUse"},
		"SubagentStop": {"SubagentStart"}, "PostCompact": {"PreCompact"}, "ElicitationResult": {"Elicitation"},
	}
	for _, tool := range targets {
		for _, d := range densities {
			asked := tool.at(d)
			for _, end := range asked {
				for _, begin := range begins[end] {
					if !slices.Contains(asked, begin) && slices.Contains(tool.at(High), begin) {
						t.Errorf("%s: density %s asks for %s and not for %s", tool.name, d, end, begin)
					}
				}
			}
		}
	}
}
