package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"syscall"
	"time"
)

// client asks the running deskbell.
type client struct{ http http.Client }

// patience is how long a running deskbell may take to begin its answer.
const patience = 60 * time.Second

var errAway = errors.New("it is not running: start it with `deskbell`")

// dial returns a client of the deskbell at in's socket.
func (in Env) dial() client {
	connect := in.connect
	if connect == nil {
		connect = func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", in.Socket)
		}
	}
	return client{http.Client{Transport: &http.Transport{
		DisableKeepAlives:     true, // one question, then we go
		ResponseHeaderTimeout: patience,
		DialContext:           func(ctx context.Context, _, _ string) (net.Conn, error) { return connect(ctx) },
	}}}
}

// open sends a request and returns the answer, whose body the caller closes.
func (c client) open(ctx context.Context, method, path string, header http.Header) (*http.Response, error) {
	return c.send(ctx, method, path, header, nil)
}

// send is open for a request with a body.
func (c client) send(ctx context.Context, method, path string, header http.Header, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, "http://deskbell"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if header != nil {
		r.Header = header
	}
	answer, err := c.http.Do(r)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil, errAway
	case errors.Is(err, fs.ErrPermission):
		return nil, errors.New("its socket belongs to another user: run this as the user whose sessions they are")
	case err != nil:
		return nil, fmt.Errorf("it does not answer, restart it: %w", errors.Unwrap(err))
	case answer.StatusCode != http.StatusOK:
		defer answer.Body.Close()
		return nil, refusal(answer)
	}
	return answer, nil
}

// refusal is the sentence of an answer that is an error.
func refusal(answer *http.Response) error {
	var says struct {
		Error string `json:"error"`
	}
	if json.NewDecoder(io.LimitReader(answer.Body, 1<<16)).Decode(&says) == nil && says.Error != "" {
		return errors.New(says.Error)
	}
	return fmt.Errorf("it answers %s: restart it, it may be of another version", answer.Status)
}

// get returns the body of an answer as it came.
func (c client) get(ctx context.Context, path string) ([]byte, error) {
	answer, err := c.open(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("it stopped in the middle of its answer, try again: %w", err)
	}
	return body, nil
}

// post has the running deskbell do what body asks for, and reads its answer into to.
func (c client) post(ctx context.Context, path string, body, to any) error {
	text, err := encoded(body)
	if err != nil {
		return err
	}
	answer, err := c.send(ctx, http.MethodPost, path, http.Header{"Content-Type": {"application/json"}}, text)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil {
		return fmt.Errorf("it stopped in the middle of its answer, see whether it was done: %w", err)
	}
	return decode(got, to)
}

// decode reads an answer. One of another version may not make sense to us.
func decode(body []byte, v any) error {
	if err := json.Unmarshal(body, v); err != nil {
		return fmt.Errorf("its answer makes no sense, restart it, it may be of another version: %w", err)
	}
	return nil
}
