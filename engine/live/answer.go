package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Answer serves one kind of request: what it returns goes out as JSON.
type Answer func(r *http.Request) (any, error)

// Refusal is an error with the HTTP status it is answered with. Says is one
// sentence that says what to do.
type Refusal struct {
	Status int
	Says   string
}

func (r *Refusal) Error() string { return r.Says }

func refuse(status int, format string, args ...any) error {
	return &Refusal{Status: status, Says: fmt.Sprintf(format, args...)}
}

// ErrUnknownAct is returned by [Server.Act] for an act that nobody knows.
var ErrUnknownAct = errors.New("unknown act")

type refused struct {
	Error string `json:"error"`
}

const (
	bodyMost = 1 << 20
	bodyTime = 10 * time.Second
)

// ServeHTTP writes what a returns.
func (a Answer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v, err := any(nil), whole(w, r)
	if err == nil {
		v, err = a(r)
	}
	if err != nil {
		status, says := verdict(err)
		reply(w, status, refused{Error: says})
		return
	}
	reply(w, http.StatusOK, v)
}

// whole reads the body before the answer is asked for: one that trickles must not
// hold a connection, and the time for it must not cut an answer short.
func whole(w http.ResponseWriter, r *http.Request) error {
	if r.ContentLength == 0 {
		return nil
	}
	c := http.NewResponseController(w)
	if err := c.SetReadDeadline(time.Now().Add(bodyTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyMost))
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &big):
		return refuse(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes: send less at once", big.Limit)
	case err != nil:
		return refuse(http.StatusBadRequest, "the body did not arrive whole: send it again")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if err := c.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// verdict returns the status and the sentence for err.
func verdict(err error) (int, string) {
	var r *Refusal
	switch {
	case errors.As(err, &r):
		return r.Status, r.Says
	case errors.Is(err, ErrStopped):
		return http.StatusServiceUnavailable, "deskbell is shutting down: start it again with `deskbell`"
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout, "deskbell took too long: try again, and see `deskbell doctor`"
	}
	return http.StatusInternalServerError, err.Error()
}

func reply(w http.ResponseWriter, status int, v any) {
	body, err := encode(v)
	if err != nil {
		status = http.StatusInternalServerError
		body, _ = encode(refused{Error: err.Error()})
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the reader has gone: nobody to tell
}

// object reads the body of r: a JSON object, or nothing.
func object(r *http.Request) (json.RawMessage, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil || len(body) == 0 {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return nil, refuse(http.StatusBadRequest, `the body is not a JSON object: send one, such as {"on": true}`)
	}
	return body, nil
}

// done is the answer to an act: ok, and the fields of v if it is an object.
func done(v any) (any, error) {
	if v == nil {
		return json.RawMessage(`{"ok":true}`), nil
	}
	b, err := encode(v)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return nil, fmt.Errorf("answer of an act is no object: %w", err)
	}
	if fields == nil {
		fields = map[string]json.RawMessage{}
	}
	fields["ok"] = json.RawMessage("true")
	return fields, nil
}
