package llm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Below is the OpenAI Responses API, which Codex speaks. The script is the same.

// turn is a request of that API.
type turn struct {
	Model string `json:"model"`
	Input []struct {
		Type    string          `json:"type"`
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"input"`
}

// steps returns what was typed last, and how many tools have answered since.
func (t turn) steps() (text string, step int) {
	for _, in := range t.Input {
		switch {
		case strings.HasSuffix(in.Type, "_call_output"):
			step++
		case in.Role == "user":
			var parts []block
			if json.Unmarshal(in.Content, &parts) != nil {
				continue
			}
			for _, b := range parts {
				if !strings.HasPrefix(b.Text, "<") && !strings.HasPrefix(b.Text, "# AGENTS.md") { // what the CLI itself adds
					text, step = b.Text, 0
				}
			}
		}
	}
	return text, step
}

// play picks the reply to a request and names it for the log.
func (t turn) play() (reply, string) {
	text, step := t.steps()
	if strings.Contains(text, "task title") { // of the thread that makes one
		return say("Scripted session"), "title"
	}
	steps := strings.Split(text, ";;")
	if step >= len(steps) {
		return say("All steps done."), "end"
	}
	return parse(steps[step]), strings.TrimSpace(steps[step])
}

// tools names what Codex calls the tools of the script.
var tools = map[string]func(input map[string]any) (name string, args map[string]any){
	"Bash": func(in map[string]any) (string, map[string]any) {
		return "exec_command", map[string]any{"cmd": in["command"], "yield_time_ms": 30000}
	},
	"Escalate": func(in map[string]any) (string, map[string]any) {
		return "exec_command", map[string]any{"cmd": in["command"], "yield_time_ms": 30000, "justification": "It has to.", "sandbox_permissions": "require_escalated"}
	},
}

func (s Server) responses(w http.ResponseWriter, r *http.Request, body []byte) {
	var t turn
	if err := json.Unmarshal(body, &t); err != nil {
		writeJSON(w, http.StatusBadRequest, apiError("invalid_request_error", err.Error()))
		return
	}
	rep, step := t.play()
	s.Log("asked " + step)
	defer s.Log("answered " + step)
	if !pause(r, rep.Wait) {
		return
	}
	if rep.Status != 0 {
		writeJSON(w, rep.Status, apiError("server_error", "scripted error"))
		return
	}
	w.Header().Set("content-type", "text/event-stream")
	out := stream{w: w, flush: w.(http.Flusher), r: r}
	id := fmt.Sprintf("resp_mock%06d", ids.Add(1))
	out.emit("response.created", map[string]any{"response": map[string]any{"id": id, "object": "response", "status": "in_progress", "output": []any{}}})
	var items []any
	for i, c := range rep.Calls {
		item, ok := out.item(i, c, rep.Slow)
		if !ok {
			return
		}
		out.emit("response.output_item.done", map[string]any{"output_index": i, "item": item})
		items = append(items, item)
	}
	out.emit("response.completed", map[string]any{"response": map[string]any{
		"id": id, "object": "response", "status": "completed", "output": items,
		"usage": map[string]any{"input_tokens": 10, "output_tokens": 5, "total_tokens": 15},
	}})
}

// item writes one part of a reply and reports whether the client is still there.
func (s stream) item(i int, c call, slow time.Duration) (map[string]any, bool) {
	id := fmt.Sprintf("mock%06d", ids.Add(1))
	if c.Tool != "" {
		name, input := c.Tool, c.Input
		if known := tools[c.Tool]; known != nil {
			name, input = known(c.Input.(map[string]any))
		}
		args, _ := json.Marshal(input) // our own maps of plain values
		item := map[string]any{"type": "function_call", "id": "fc_" + id, "call_id": "call_" + id, "name": name, "arguments": string(args), "status": "completed"}
		s.emit("response.output_item.added", map[string]any{"output_index": i, "item": item})
		return item, true
	}
	item := func(status, text string) map[string]any {
		return map[string]any{"type": "message", "id": "msg_" + id, "role": "assistant", "status": status,
			"content": []any{map[string]any{"type": "output_text", "text": text, "annotations": []any{}}}}
	}
	s.emit("response.output_item.added", map[string]any{"output_index": i, "item": item("in_progress", "")})
	words := strings.SplitAfter(c.Text, " ")
	for _, word := range words {
		if !pause(s.r, slow/time.Duration(len(words))) {
			return nil, false
		}
		s.emit("response.output_text.delta", map[string]any{"item_id": "msg_" + id, "output_index": i, "content_index": 0, "delta": word})
	}
	return item("completed", c.Text), true
}
