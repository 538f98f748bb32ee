package llm

import (
	"encoding/json"
	"testing"
	"time"
)

func TestDecide(t *testing.T) {
	const used = `{"role":"assistant","content":[{"type":"tool_use","name":"Bash"}]},{"role":"user","content":[{"type":"tool_result"}]}`
	for _, tt := range []struct{ name, messages, want string }{
		{"first step", `{"role":"user","content":"RUN: ls ;; TEXT done"}`, "RUN: ls"},
		{"second step", `{"role":"user","content":"RUN: ls ;; TEXT done"},` + used, "TEXT done"},
		{"past the last", `{"role":"user","content":"RUN: ls"},` + used, "end"},
		{"reminders are not the user's", `{"role":"user","content":"TEXT a"},{"role":"user","content":"<system-reminder>TEXT b</system-reminder>"}`, "TEXT a"},
		{"nor is an interrupt", `{"role":"user","content":"TEXT a"},{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]}`, "TEXT a"},
		{"a new prompt begins anew", `{"role":"user","content":"RUN: ls"},` + used + `,{"role":"user","content":"TEXT b"}`, "TEXT b"},
	} {
		var q request
		if err := json.Unmarshal([]byte(`{"tools":[{}],"messages":[`+tt.messages+`]}`), &q); err != nil {
			t.Fatal(err)
		}
		if _, got := decide(q); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestParse(t *testing.T) {
	r := parse(" WAIT 0.5 ++ AGENT {RUN: x | TEXT y} ++ ERR 529 ")
	if r.Wait != 500*time.Millisecond || r.Status != 529 || len(r.Calls) != 1 {
		t.Fatalf("got %+v", r)
	}
	if got := r.Calls[0].Input.(map[string]any)["prompt"]; got != "RUN: x ;; TEXT y" {
		t.Errorf("got the prompt %q", got)
	}
	if got := parse("hello").Calls[0].Text; got != "Acknowledged." {
		t.Errorf("got %q", got)
	}
}
