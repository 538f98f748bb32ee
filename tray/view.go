package tray

import (
	"sync"
	"time"

	"deskbell/engine"
)

// View keeps a tray at the newest state. Its methods may be called from any goroutine.
type View struct {
	tray  *Tray
	state func() engine.Snapshot
	mu    sync.Mutex
	prefs Prefs // guarded by mu
	total int64 // guarded by mu; what all sessions take together

	memory Memory // belongs to who calls Tick
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
	p.Memory = v.total
	p.AllMuted, p.MutedUntil = s.AllMuted()
	v.tray.Draw(func() Menu { return Build(s, p) })
}

// Tick draws the header anew when all sessions together take another amount. It wants to
// be called only when something happens.
func (v *View) Tick(now time.Time, _ engine.Step, s engine.Snapshot) (next time.Time) {
	if v.weighs(v.memory.Apply(now, s.Sessions)) {
		v.Draw()
	}
	return time.Time{}
}

// weighs notes what all sessions take, and reports whether that is another amount.
func (v *View) weighs(total int64) (other bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	other, v.total = v.total != total, total
	return other
}
