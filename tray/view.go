package tray

import (
	"sync"

	"deskbell/engine"
)

// View keeps a tray at the newest state. Its methods may be called from any goroutine.
type View struct {
	tray  *Tray
	state func() engine.Snapshot
	mu    sync.Mutex
	prefs Prefs // guarded by mu
}

// NewView returns a view of the newest state that t shows.
func NewView(t *Tray, state func() engine.Snapshot) *View { return &View{tray: t, state: state} }

// Use makes p hold for all that is drawn from now on.
func (v *View) Use(p Prefs) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.prefs = p
}

// Draw shows the newest state.
func (v *View) Draw() {
	v.mu.Lock()
	defer v.mu.Unlock()
	s, p := v.state(), v.prefs
	p.AllMuted, p.MutedUntil = s.AllMuted()
	v.tray.Draw(func() Menu { return Build(s, p) })
}
