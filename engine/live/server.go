package live

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"deskbell/engine"
)

// Server is the live API over the state of a loop. A nil func field means that
// this deskbell cannot do that.
type Server struct {
	Loop *Loop
	// Why explains one session. It runs on the goroutine that owns the engine.
	Why func(id engine.ID) (why any, ok bool)
	// Past completes what Why said by what is on disk; where Why knows no such session,
	// said is nil, and id may be the beginning of the tool's own id. It may take a while.
	Past func(ctx context.Context, id string, said any) (any, bool)
	// Refresh has every source look, and returns when all it saw has been emitted.
	Refresh func(ctx context.Context) error
	// Weigh has what is only known when it is shown looked at. It does not wait for long.
	Weigh func(ctx context.Context)
	// Retell has the sources tell again what they know. It does not wait for it.
	Retell func()
	// Act carries out an act on the session id, or, with an empty id, "new" and
	// "mute". body is a JSON object or empty. What it returns is an object or nil.
	// It returns ErrUnknownAct, a [Refusal], or an error that says what to do.
	Act func(id, act string, body json.RawMessage) (any, error)
	// Routes are further answers by pattern, "GET /sessions/{id}/runs".
	Routes map[string]Answer
}

const (
	patience = 10 * time.Second // for an answer of the loop
	lookTime = 30 * time.Second // for a full look
	saying   = 60 * time.Second // for one request, but for a stream
	parting  = time.Second      // for requests under way at the end
)

// Handler returns the API without its listener.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /sessions/live", Answer(s.list))
	mux.Handle("GET /sessions/live/stream", http.HandlerFunc(s.stream))
	mux.Handle("POST /sessions/live/refresh", Answer(s.refresh))
	mux.Handle("GET /sessions/{id}/why", Answer(s.why))
	mux.Handle("GET /history", Answer(s.history))
	mux.Handle("GET /record", http.HandlerFunc(s.record))
	mux.Handle("POST /sessions/{id}/{act}", Answer(s.act))
	mux.Handle("POST /sessions", Answer(s.create))
	mux.Handle("POST /mute", Answer(s.mute))
	for pattern, answer := range s.Routes {
		mux.Handle(pattern, answer)
	}
	mux.Handle("/", Answer(func(r *http.Request) (any, error) {
		return nil, refuse(http.StatusNotFound, "%s %s is not served: GET /sessions/live is a good start", r.Method, r.URL.Path)
	}))
	return mux
}

// Serve answers on l until ctx is done and every request has ended.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	var door gate
	web := &http.Server{
		Handler:           door.through(guarded(s.Handler())),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       saying,
		WriteTimeout:      saying,
		MaxHeaderBytes:    16 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext:       badge,
		ErrorLog:          log.New(io.Discard, "", 0), // each request is told its own
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		<-ctx.Done()
		short, cancel := context.WithTimeout(context.WithoutCancel(ctx), parting)
		defer cancel()
		_ = web.Shutdown(short) // what is left is closed next
		_ = web.Close()
	})
	err := web.Serve(l)
	cancel()
	wg.Wait()
	door.close()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// list waits for the loop's first pass: before it there is nothing to show.
func (s *Server) list(r *http.Request) (any, error) {
	s.weigh(r.Context())
	return s.look(r.Context(), view(r))
}

func (s *Server) weigh(ctx context.Context) {
	if s.Weigh != nil {
		s.Weigh(ctx)
	}
}

func (s *Server) look(ctx context.Context, show func(engine.Snapshot) engine.Snapshot) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	snap, err := s.Loop.Look(ctx)
	if err != nil {
		return nil, err
	}
	return show(snap), nil
}

// view returns which sessions r asks for.
func view(r *http.Request) func(engine.Snapshot) engine.Snapshot {
	if all, _ := strconv.ParseBool(r.URL.Query().Get("all")); all {
		return shown
	}
	return func(s engine.Snapshot) engine.Snapshot { return shown(Live(s)) }
}

func (s *Server) refresh(r *http.Request) (any, error) {
	if s.Refresh == nil {
		return nil, refuse(http.StatusNotImplemented, "this deskbell cannot look again: restart it")
	}
	ctx, cancel := context.WithTimeout(r.Context(), lookTime)
	defer cancel()
	if err := s.Refresh(ctx); err != nil {
		return nil, err
	}
	s.weigh(r.Context())
	return s.look(r.Context(), view(r)) // after all it emitted
}

func (s *Server) why(r *http.Request) (any, error) {
	if s.Why == nil {
		return nil, refuse(http.StatusNotImplemented, "this deskbell cannot say why: update it")
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	id := engine.ID(r.PathValue("id"))
	var why any
	var ok bool
	if err := s.Loop.Do(ctx, func() { why, ok = s.Why(id) }); err != nil {
		return nil, err
	}
	if !ok {
		why = nil
	}
	if s.Past != nil {
		why, ok = s.Past(ctx, string(id), why)
	}
	if !ok {
		return nil, unknown(id)
	}
	return why, nil
}

func unknown(id engine.ID) error {
	return refuse(http.StatusNotFound, "no session is called %q: `deskbell status --all` lists them", string(id))
}

// limits of GET /history.
const (
	historyDefault = 50
	historyMost    = 1000
)

// history answers with a snapshot of the ended sessions, the last ended first.
func (s *Server) history(r *http.Request) (any, error) {
	limit := historyDefault
	if v := r.URL.Query().Get("limit"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			return nil, refuse(http.StatusBadRequest, "limit %q is not a number above 0: try limit=%d", v, historyDefault)
		}
		limit = min(n, historyMost)
	}
	return s.look(r.Context(), func(past engine.Snapshot) engine.Snapshot {
		past = only(past, ended)
		slices.SortStableFunc(past.Sessions, func(a, b engine.Session) int { return b.Since.Compare(a.Since) })
		past.Sessions = past.Sessions[:min(limit, len(past.Sessions))]
		past.Counts = engine.Count(past.Sessions)
		return shown(past)
	})
}

func (s *Server) act(r *http.Request) (any, error) {
	id, act := r.PathValue("id"), r.PathValue("act")
	body, err := object(r)
	if err != nil {
		return nil, err
	}
	if _, err := s.Loop.Feed.Session(engine.ID(id)); err != nil {
		return nil, err
	}
	v, err := s.carryOut(id, act, body)
	if err != nil {
		return nil, err
	}
	return done(v)
}

// create answers with the new session itself.
func (s *Server) create(r *http.Request) (any, error) {
	body, err := object(r)
	if err != nil {
		return nil, err
	}
	return s.carryOut("", "new", body)
}

func (s *Server) mute(r *http.Request) (any, error) {
	body, err := object(r)
	if err != nil {
		return nil, err
	}
	v, err := s.carryOut("", "mute", body)
	if err != nil {
		return nil, err
	}
	return done(v)
}

// carryOut runs an act. One that failed says why, and is no fault of the server.
func (s *Server) carryOut(id, act string, body json.RawMessage) (any, error) {
	err := ErrUnknownAct
	var v any
	if s.Act != nil {
		v, err = s.Act(id, act, body)
	}
	var r *Refusal
	switch {
	case err == nil:
		return v, nil
	case errors.Is(err, ErrUnknownAct):
		return nil, refuse(http.StatusNotFound, "this deskbell knows no act %q: `deskbell --help` lists what it can do", act)
	case errors.As(err, &r):
		return nil, err
	}
	return nil, refuse(http.StatusConflict, "%s", err)
}
