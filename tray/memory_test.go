package tray

import (
	"testing"
	"time"

	"deskbell/engine"
)

// TestMemoryIsThatOfThisMachine checks what is added up. How still it is kept is a matter
// of [engine.Gauge].
func TestMemoryIsThatOfThisMachine(t *testing.T) {
	var m Memory
	here := []engine.Session{{Memory: 400}, {Memory: 600}, {Memory: 1e9, Peer: "box"}}
	if got := m.Apply(noon, here); got != 1000 {
		t.Errorf("got %d", got)
	}
	here[1].Memory = 1600
	for _, c := range []struct {
		after time.Duration
		want  int64
	}{{time.Second, 1000}, {time.Minute, 2000}} {
		if got := m.Apply(noon.Add(c.after), here); got != c.want {
			t.Errorf("after %v: got %d, want %d", c.after, got, c.want)
		}
	}
}

// TestViewTellsMemory checks that the header is drawn anew when it is to tell another
// amount, and not otherwise.
func TestViewTellsMemory(t *testing.T) {
	one := engine.Session{ID: "s1", Tool: "x", Project: "app", Status: engine.Working, Memory: 500e6}
	state := func() engine.Snapshot { return engine.Snapshot{At: noon, Sessions: []engine.Session{one}} }
	tr := New(Options{})
	v := NewView(tr, state)
	drawn := func() string {
		select {
		case layout := <-tr.latest:
			return layout().Items[0].Title
		default:
			return ""
		}
	}
	now := noon
	for i, c := range []struct {
		after time.Duration // the step before
		takes int64
		want  string
	}{
		{0, 500e6, "1 working · ≈ 500 MB"},
		{time.Second, 500e6, ""},
		{time.Second, 540e6, ""},
		{time.Minute, 1449e6, "1 working · ≈ 1.4 GB"},
		{time.Second, 3e9, ""},
		{time.Minute, 3e9, "1 working · ≈ 3.0 GB"},
	} {
		one.Memory = c.takes
		now = now.Add(c.after)
		v.Tick(now, engine.Step{}, state())
		if got := drawn(); got != c.want {
			t.Errorf("step %d: got %q, want %q", i, got, c.want)
		}
	}
	v.Use(Prefs{})
	v.Draw()
	if got, want := drawn(), "1 working · ≈ 3.0 GB"; got != want {
		t.Errorf("with other settings: got %q, want %q", got, want)
	}
}
