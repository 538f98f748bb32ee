package live

import (
	"net/http"
	"sync"
)

// gate counts the requests under way, so that the server can wait for their end.
type gate struct {
	inside sync.WaitGroup
	mu     sync.Mutex
	shut   bool // guarded by mu
}

func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		return false
	}
	g.inside.Add(1)
	return true
}

// close lets nobody in any more and waits until the last one has left.
func (g *gate) close() {
	g.mu.Lock()
	g.shut = true
	g.mu.Unlock()
	g.inside.Wait()
}

// through lets requests for h pass the gate.
func (g *gate) through(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.enter() {
			status, says := verdict(ErrStopped)
			reply(w, status, refused{Error: says})
			return
		}
		defer g.inside.Done()
		h.ServeHTTP(w, r)
	})
}
