package process

import (
	"os"
	"runtime"
	"testing"
	"time"
)

// TestIdle checks what counts as doing nothing: a CLI that waits at a dialog takes about
// 2 % of a core, one that starts takes most of one.
func TestIdle(t *testing.T) {
	start := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		ticks uint64
		over  time.Duration
		idle  bool
	}{
		{0, 500 * time.Millisecond, true}, {1, 500 * time.Millisecond, true}, {4, 500 * time.Millisecond, true},
		{5, 500 * time.Millisecond, false}, {40, 500 * time.Millisecond, false}, {9, time.Second, true}, {10, time.Second, false},
	} {
		if got := idle(load{start, 100}, load{start.Add(c.over), 100 + c.ticks}); got != c.idle {
			t.Errorf("%d ticks in %v: idle %v", c.ticks, c.over, got)
		}
	}
}

// TestWorked checks what is read off a process, on this one: it runs right now.
func TestWorked(t *testing.T) {
	before, runs, err := worked(os.Getpid())
	if runtime.GOOS != "linux" {
		if err == nil {
			t.Error("no error where it cannot be told")
		}
		return
	}
	if err != nil || !runs {
		t.Fatalf("runs %v, %v", runs, err)
	}
	for n := 0; ; n++ {
		now, _, err := worked(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		if now > before {
			return
		}
		if n > 1_000_000 {
			t.Fatal("its time stands still")
		}
	}
}
