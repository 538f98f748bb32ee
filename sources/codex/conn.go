package codex

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"time"

	"github.com/coder/websocket"
)

const (
	longestMessage = 4 << 20         // of the server
	promptly       = 2 * time.Second // until the server has to have answered a call
)

// conn is a connection to a server: JSON-RPC in a WebSocket on a Unix socket. Nothing is
// ever asked for that changes anything.
type conn struct {
	ctx   context.Context // until it is closed
	stop  context.CancelFunc
	ws    *websocket.Conn
	last  int           // request
	ended chan struct{} // closed when nothing is heard any more; nil: nobody listens
}

// incoming is a message, or the end of a connection.
type incoming struct {
	message message
	err     error
}

// request is what we send. Without an ID nothing is answered.
type request struct {
	ID     int    `json:"id,omitempty"`
	Method string `json:"method"`
	Params any    `json:"params,omitempty"`
}

// dial reaches the server at a socket, and says who we are.
func dial(ctx context.Context, path string) (*conn, error) {
	ctx, stop := context.WithCancel(ctx)
	soon, done := context.WithTimeout(ctx, promptly)
	defer done()
	var d net.Dialer
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return d.DialContext(ctx, "unix", path) },
	}}
	ws, answer, err := websocket.Dial(soon, "ws://localhost/", &websocket.DialOptions{HTTPClient: client})
	if answer != nil && answer.Body != nil {
		defer answer.Body.Close()
	}
	if err != nil {
		stop()
		return nil, err
	}
	ws.SetReadLimit(longestMessage)
	c := &conn{ctx: ctx, stop: stop, ws: ws}
	_, err = c.ask("initialize", map[string]any{
		"clientInfo":   map[string]string{"name": "deskbell", "title": "deskbell", "version": "1"},
		"capabilities": map[string]bool{"experimentalApi": true},
	})
	if err == nil {
		err = c.send(request{Method: "initialized"})
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// ask sends a request and returns its number.
func (c *conn) ask(method string, params any) (int, error) {
	c.last++
	return c.last, c.send(request{ID: c.last, Method: method, Params: params})
}

func (c *conn) send(r request) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	ctx, done := context.WithTimeout(c.ctx, promptly)
	defer done()
	return c.ws.Write(ctx, websocket.MessageText, text)
}

// listen hands over what comes until the connection ends. What is no message is passed
// over.
func (c *conn) listen(out chan<- incoming) {
	c.ended = make(chan struct{})
	go func() {
		defer close(c.ended)
		for {
			var in incoming
			var text []byte
			if _, text, in.err = c.ws.Read(c.ctx); in.err == nil && json.Unmarshal(text, &in.message) != nil {
				continue
			}
			select {
			case out <- in:
			case <-c.ctx.Done():
				return
			}
			if in.err != nil {
				return
			}
		}
	}()
}

func (c *conn) close() {
	c.stop()
	_ = c.ws.CloseNow() // it is over, one way or the other
	if c.ended != nil {
		<-c.ended
	}
}
