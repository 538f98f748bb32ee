package live

import (
	"fmt"
	"testing"
	"time"

	"deskbell/engine"
)

// filled is a journal of 20 sessions at work that is as long as it may be.
func filled(tb testing.TB, now time.Time) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	j, err := OpenJournal(dir, "b1", 24*time.Hour, func(s string) { tb.Error(s) })
	if err != nil {
		tb.Fatal(err)
	}
	who := func(n int) engine.Who {
		return engine.Who{
			Tool: "claude", ID: fmt.Sprintf("3f0c9a11-%04d-4c3b-9d5e-0123456789ab", n), PID: 4000 + n, Ticks: 991_000_000 + uint64(n), Parent: 40,
			Dir: "/home/dev/src/project", TTY: "/dev/pts/1", RunsIn: "kitty", Home: "/home/dev/.claude",
		}
	}
	for n := range 28_000 {
		w, call := who(n%20), fmt.Sprintf("toolu_01%022d", n)
		at := now.Add(time.Duration(n-28_000) * time.Second)
		key := "Bash 9f86d081884c7d65"
		j.Heard(at, []engine.Event{
			{At: at, By: engine.Hook, Who: w, Fact: engine.CallOpened{Call: call, Name: "Bash", Quiet: engine.Slow, Key: key}},
			{At: at, By: engine.Hook, Who: w, Fact: engine.CallClosed{Call: call}},
		})
		if n%1000 == 0 {
			j.drain()
		}
	}
	if err := j.Close(); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// BenchmarkStart is what a start costs that finds a full journal: reading it, and telling
// it to the engine (SPEC section 16: the first snapshot after 300 ms).
func BenchmarkStart(b *testing.B) {
	now := time.Now()
	dir := filled(b, now)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		e := engine.New(engine.DefaultLimits())
		told, bad := Facts(dir, "b1", 24*time.Hour, now)
		if bad > 0 {
			b.Fatal(bad)
		}
		n = len(told)
		e.Apply(now, told...)
	}
	b.ReportMetric(float64(n), "facts")
}
