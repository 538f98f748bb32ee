package client

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// endless is a payload of n bytes, mostly in one string, that is not closed at its end.
func endless(n int) io.Reader {
	return io.MultiReader(
		strings.NewReader(`{"session_id":"3f0c","cwd":"/w","hook_event_name":"PostToolUse","tool_name":"Read","tool_response":{"text":"`),
		io.LimitReader(repeated(`line of text \n \u00e9 ü `), int64(n)),
		strings.NewReader(`"},"tool_use_id":"toolu_1"}`))
}

type repeated string

func (r repeated) Read(p []byte) (int, error) {
	n := copy(p, r)
	for n+len(r) <= len(p) {
		n += copy(p[n:], r)
	}
	return n, nil
}

// TestLarge checks that a large payload is taken off the agent's hands to its end, that
// what says what happened arrives, and that this costs no memory. (A pipe that nobody
// reads to the end breaks, and not every CLI survives that.)
func TestLarge(t *testing.T) {
	sizes := []int{200 << 10, 5 << 20, 100 << 20}
	if testing.Short() || slow {
		sizes = sizes[:2]
	}
	dir := runtimeDir(t)
	r := listenIn(t, dir)
	for _, size := range sizes {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c := newChild(t, dir, name)
		c.Stdin = in
		began := time.Now()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		in.Close()
		if _, err := io.Copy(out, endless(size)); err != nil { // and stays open
			t.Errorf("%d bytes: the agent got %v", size, err)
		}
		if err := c.Wait(); err != nil || c.out.Len() > 0 {
			t.Errorf("%d bytes: %v %q", size, err, c.out.String())
		}
		out.Close()
		t.Logf("%d bytes: %v, CPU %v", size, time.Since(began).Round(time.Millisecond), c.ProcessState.UserTime()+c.ProcessState.SystemTime())
		f := r.one(t)
		var got struct {
			Session string `json:"session_id"`
			Event   string `json:"hook_event_name"`
			Call    string `json:"tool_use_id"`
			Result  struct{ Text string }
		}
		if err := json.Unmarshal(f.Payload, &got); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
		if got.Session != "3f0c" || got.Event != "PostToolUse" || got.Call != "toolu_1" || !f.Cut || f.Size < int64(size) {
			t.Errorf("%d bytes: got %+v, cut %v of %d", size, got, f.Cut, f.Size)
		}
		if len(f.Payload) > 8<<10 {
			t.Errorf("%d bytes: %d were sent", size, len(f.Payload))
		}
	}
}

// TestWhole checks that a payload of ordinary size is sent as it is, up to the limit.
func TestWhole(t *testing.T) {
	dir := runtimeDir(t)
	r := listenIn(t, dir)
	for _, n := range []int{1000, 4 << 10, 60 << 10, whole - 12, whole - 11} {
		text := fmt.Sprintf(`{"a":"%s","b":1}`, strings.Repeat("x", n-6))
		c := newChild(t, dir, name)
		c.Stdin = strings.NewReader(text)
		c.fine(t, "")
		f := r.one(t)
		if want := len(text) <= whole; (string(f.Payload) == text) != want || f.Cut == want || int(f.Size) != len(text) {
			t.Errorf("%d bytes: %d sent, cut %v", len(text), len(f.Payload), f.Cut)
		}
		if !json.Valid(f.Payload) || !strings.HasSuffix(string(f.Payload), `,"b":1}`) {
			t.Errorf("%d bytes: sent ...%q", len(text), f.Payload[len(f.Payload)-40:])
		}
	}
}
