// Package llm is a scripted stand-in for the Anthropic Messages API. The reply
// to a request is chosen by directives in the user's prompt, so a test drives
// the CLI by typing into it. README.md beside it lists the directives.
package llm

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
)

// Server answers the CLI's requests.
type Server struct {
	Log func(line string) // told of every request and the end of its reply
}

// Listen serves on a free loopback port until the process ends and returns its
// host and port.
func (s Server) Listen() (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go http.Serve(ln, s)
	return ln.Addr().String(), nil
}

// ServeHTTP implements http.Handler.
func (s Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	switch {
	case r.Method == http.MethodHead:
		w.WriteHeader(http.StatusOK)
	case r.URL.Path == "/v1/messages/count_tokens":
		writeJSON(w, http.StatusOK, map[string]any{"input_tokens": len(body) / 4})
	case r.URL.Path == "/v1/models":
		writeJSON(w, http.StatusOK, map[string]any{"data": []any{}, "has_more": false})
	case r.URL.Path == "/v1/messages" && r.Method == http.MethodPost:
		var q request
		if err := json.Unmarshal(body, &q); err != nil {
			writeJSON(w, http.StatusBadRequest, apiError("invalid_request_error", err.Error()))
			return
		}
		rep, step := decide(q)
		s.Log("asked " + step)
		send(w, r, q, rep)
		s.Log("answered " + step)
	case r.URL.Path == "/v1/responses" && r.Method == http.MethodPost:
		s.responses(w, r, body)
	default:
		writeJSON(w, http.StatusNotFound, apiError("not_found_error", "not scripted: "+r.URL.Path))
	}
}

func apiError(kind, msg string) map[string]any {
	return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": msg}}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("content-type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}
