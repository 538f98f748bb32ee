package llm

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

var ids atomic.Int64

var errorKinds = map[int]string{
	400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 429: "rate_limit_error", 529: "overloaded_error",
}

// send writes the reply, streamed where the request asks for that.
func send(w http.ResponseWriter, r *http.Request, q request, rep reply) {
	if !pause(r, rep.Wait) {
		return
	}
	if rep.Status != 0 {
		kind, ok := errorKinds[rep.Status]
		if !ok {
			kind = "api_error"
		}
		w.Header().Set("x-should-retry", "false")
		writeJSON(w, rep.Status, apiError(kind, "scripted error"))
		return
	}
	msg := rep.message(q.Model)
	if !q.Stream {
		writeJSON(w, http.StatusOK, msg)
		return
	}
	w.Header().Set("content-type", "text/event-stream")
	w.Header().Set("cache-control", "no-cache")
	s := stream{w: w, flush: w.(http.Flusher), r: r}
	s.message(msg, rep)
}

// message is the whole reply as the API words it.
func (rep reply) message(model string) map[string]any {
	stop, content := "end_turn", []map[string]any{}
	for _, c := range rep.Calls {
		if c.Tool == "" {
			content = append(content, map[string]any{"type": "text", "text": c.Text})
			continue
		}
		stop = "tool_use"
		content = append(content, map[string]any{
			"type": "tool_use", "id": fmt.Sprintf("toolu_mock%06d", ids.Add(1)), "name": c.Tool, "input": c.Input,
		})
	}
	return map[string]any{
		"id": fmt.Sprintf("msg_mock%06d", ids.Add(1)), "type": "message", "role": "assistant", "model": model,
		"content": content, "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
	}
}

// stream writes server-sent events.
type stream struct {
	w     http.ResponseWriter
	flush http.Flusher
	r     *http.Request
}

func (s stream) emit(kind string, v map[string]any) {
	v["type"] = kind
	b, _ := json.Marshal(v) // our own maps of plain values
	fmt.Fprintf(s.w, "event: %s\ndata: %s\n\n", kind, b)
	s.flush.Flush()
}

func (s stream) message(msg map[string]any, rep reply) {
	start := maps.Clone(msg)
	start["content"], start["stop_reason"] = []any{}, nil
	s.emit("message_start", map[string]any{"message": start})
	for i, block := range msg["content"].([]map[string]any) {
		if !s.block(i, block, rep) {
			return
		}
		s.emit("content_block_stop", map[string]any{"index": i})
	}
	s.emit("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": msg["stop_reason"], "stop_sequence": nil}, "usage": msg["usage"],
	})
	s.emit("message_stop", map[string]any{})
}

// block writes one content block and reports whether the client is still there.
func (s stream) block(i int, block map[string]any, rep reply) bool {
	if tool := rep.Calls[i].Tool; tool != "" {
		s.emit("content_block_start", map[string]any{"index": i, "content_block": map[string]any{
			"type": "tool_use", "id": block["id"], "name": tool, "input": map[string]any{},
		}})
		in, _ := json.Marshal(block["input"])
		s.emit("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": "input_json_delta", "partial_json": string(in)}})
		return true
	}
	s.emit("content_block_start", map[string]any{"index": i, "content_block": map[string]any{"type": "text", "text": ""}})
	words := strings.SplitAfter(rep.Calls[i].Text, " ")
	for _, word := range words {
		s.emit("content_block_delta", map[string]any{"index": i, "delta": map[string]any{"type": "text_delta", "text": word}})
		if !pause(s.r, rep.Slow/time.Duration(len(words))) {
			return false
		}
	}
	return true
}

// pause waits and reports whether the client is still there.
func pause(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	select {
	case <-time.After(d):
		return true
	case <-r.Context().Done():
		return false
	}
}
