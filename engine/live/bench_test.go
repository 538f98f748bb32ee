package live

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
)

// busy returns a loop with the real engine and n sessions at work.
func busy(b *testing.B, n int) (l *Loop, who []engine.Who) {
	l = NewLoop(engine.New(engine.DefaultLimits()))
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { l.Run(ctx) })
	b.Cleanup(func() { cancel(); wg.Wait() })
	for i := range n {
		w := engine.Who{Tool: "claude", ID: fmt.Sprint("id", i), PID: 100 + i, Ticks: 1, TTY: fmt.Sprint("/dev/pts/", i), Dir: fmt.Sprint("/home/dev/", i)}
		who = append(who, w)
		l.Emit(engine.Event{By: engine.Hook, Who: w, Fact: engine.Started{}},
			engine.Event{By: engine.Process, Who: w, Fact: engine.Alive{Yes: true}},
			engine.Event{By: engine.Hook, Who: w, Fact: engine.Prompted{Human: true}})
	}
	return l, who
}

// BenchmarkEvents is the throughput of loop and engine with 50 sessions.
func BenchmarkEvents(b *testing.B) {
	l, who := busy(b, 50)
	before, err := l.Look(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for b.Loop() {
		w, call := who[n/2%len(who)], fmt.Sprint(n/2)
		var fact engine.Fact = engine.CallOpened{Call: call, Name: "Bash", Quiet: engine.Slow}
		if n%2 == 1 {
			fact = engine.CallClosed{Call: call}
		}
		l.Emit(engine.Event{By: engine.Hook, Who: w, Fact: fact})
		n++
	}
	after, err := l.Look(b.Context()) // all of them are in
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(after.Seq-before.Seq)/float64(n), "changes/event")
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkEventToStream is the time from an event to its change at a client of the
// stream over the socket, with 50 sessions.
func BenchmarkEventToStream(b *testing.B) {
	l, who := busy(b, 50)
	dir := b.TempDir()
	in, err := Claim(dir, SocketPath(dir))
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { (&Server{Loop: l}).Serve(ctx, in) })
	b.Cleanup(func() { cancel(); wg.Wait(); in.Close() })
	client := http.Client{Transport: &http.Transport{DialContext: dialer(SocketPath(dir))}}
	answer, err := client.Get("http://deskbell/sessions/live/stream")
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewReader(answer.Body)
	await := func(name string) {
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				b.Fatal(err)
			}
			if strings.HasPrefix(line, "event: "+name) {
				return
			}
		}
	}
	await("snapshot")
	var took []time.Duration
	for b.Loop() {
		fact := engine.Described{Title: fmt.Sprint(len(took))}
		start := time.Now()
		l.Emit(engine.Event{By: engine.Hook, Who: who[7], Fact: fact})
		await("change")
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
}
