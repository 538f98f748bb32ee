package live

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"deskbell/engine"
)

// stream serves the feed as server-sent events. While nothing changes it sends
// nothing: on these sockets the end of the other side shows by itself.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	c := http.NewResponseController(w)
	if err := c.SetWriteDeadline(time.Time{}); err != nil {
		reply(w, http.StatusInternalServerError, refused{Error: "this connection cannot stream: GET /sessions/live instead"})
		return
	}
	s.weigh(r.Context())
	if _, err := s.look(r.Context(), func(s engine.Snapshot) engine.Snapshot { return s }); err != nil {
		status, says := verdict(err)
		reply(w, status, refused{Error: says})
		return
	}
	reader := s.resume(r.Header.Get("Last-Event-ID"))
	defer reader.Close()
	show := view(r)

	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusOK)
	var b bytes.Buffer
	for {
		if err := c.Flush(); err != nil {
			return
		}
		news, err := reader.Next(r.Context())
		if err != nil {
			return
		}
		b.Reset()
		if news.Snapshot != nil {
			snap := show(*news.Snapshot)
			frame(&b, snap.Seq, "snapshot", snap)
		}
		for _, one := range news.Changes {
			name, body := one.event()
			frame(&b, one.Seq, name, body)
		}
		if _, err := w.Write(b.Bytes()); err != nil {
			return
		}
	}
}

// resume returns a reader for a client whose last event was id, "" for a new one.
func (s *Server) resume(id string) *Reader {
	if after, err := strconv.ParseUint(id, 10, 64); err == nil {
		return s.Loop.Feed.ReadAfter(after)
	}
	return s.Loop.Feed.Read()
}

// frame adds one event. Its JSON is one line, as the format asks for.
func frame(b *bytes.Buffer, seq uint64, name string, v any) {
	body, err := encode(v)
	if err != nil {
		return // a session that cannot be written is missing, the rest is not
	}
	fmt.Fprintf(b, "id: %d\nevent: %s\ndata: %s\n", seq, name, body)
}
