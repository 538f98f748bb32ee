package live

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// record serves what the engine is told as JSON lines, text of prompts, answers and
// commands left out. At its beginning the sources tell again what they know. A last line
// with an error says why it ends, unless its reader ends it.
func (s *Server) record(w http.ResponseWriter, r *http.Request) {
	if err := s.recordTo(w, r); err != nil {
		status, says := verdict(err)
		reply(w, status, refused{Error: says})
	}
}

// recordTo returns an error as long as nothing has been written.
func (s *Server) recordTo(w http.ResponseWriter, r *http.Request) error {
	if at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); !ok || at.Network() != "unix" {
		return refuse(http.StatusForbidden, "a record is given on the socket only: run `deskbell record` on this machine")
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	tap, err := s.Loop.Tap(ctx)
	if err != nil {
		return err
	}
	defer tap.Close()
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusOK)
	c := http.NewResponseController(w)
	if s.Retell != nil {
		s.Retell()
	}
	for {
		if err := errors.Join(c.SetWriteDeadline(time.Now().Add(saying)), c.Flush()); err != nil {
			return nil // nobody reads any more
		}
		lines, err := tap.Next(r.Context())
		if err != nil {
			_, says := verdict(err)
			end, _ := encode(refused{Error: says})
			_, _ = w.Write(end) // where nobody reads it, nobody is told
			return nil
		}
		for i := range lines {
			text, err := encode(lines[i])
			if err != nil {
				continue // a line that cannot be written is missing, the rest is not
			}
			if err := c.SetWriteDeadline(time.Now().Add(saying)); err != nil {
				return nil
			}
			if _, err := w.Write(text); err != nil {
				return nil
			}
		}
	}
}
