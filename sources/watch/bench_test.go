package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// history makes a home with 5,000 transcripts of 1 MB each in 200 folders, a fifth
// of them recent, and the listings of 20 live sessions. Holes make it cheap.
func history(b *testing.B) (home string) {
	b.Helper()
	home = b.TempDir()
	for i := range 5000 {
		dir := filepath.Join(home, fmt.Sprintf("projects/p%03d", i%200))
		log := filepath.Join(dir, fmt.Sprintf("%d.jsonl", i))
		put(b, log, "")
		if err := os.Truncate(log, 1<<20); err != nil {
			b.Skip(err)
		}
		grow(b, log, fmt.Sprintf("\n%d one\n", i))
		old(b, 1+i%200/2, log, dir)
	}
	for i := range 20 {
		put(b, filepath.Join(home, fmt.Sprintf("sessions/%d.json", i)), `{"Level":"busy"}`)
	}
	return home
}

// BenchmarkStart tells how long it takes from nothing until the listings are told
// and the transcripts of the live sessions are read.
func BenchmarkStart(b *testing.B) {
	home := history(b)
	var listed, read time.Duration
	for b.Loop() {
		ctx, stop := context.WithCancel(b.Context())
		events := make(chan int, 100)
		began := time.Now()
		s := New(Options{CLIs: []sources.CLI{toy()}, Homes: func(sources.CLI) []string { return []string{home} }})
		done := make(chan error)
		go func() { done <- s.Run(ctx, func(evs ...engine.Event) { events <- len(evs) }) }()
		for n := 0; n < 20; n += <-events {
		}
		listed += time.Since(began)
		for i := range 20 {
			s.Answer(ask(fmt.Sprint(i)))
		}
		for n := 0; n < 20; n += <-events {
		}
		read += time.Since(began)
		stop()
		<-done
	}
	b.ReportMetric(float64(listed.Microseconds())/1000/float64(b.N), "ms/listed")
	b.ReportMetric(float64(read.Microseconds())/1000/float64(b.N), "ms/read")
}

// BenchmarkRefresh tells what looking at everything again costs.
func BenchmarkRefresh(b *testing.B) {
	r := start(b, history(b)).started()
	for i := range 20 {
		r.Answer(ask(fmt.Sprint(i)))
	}
	r.started()
	b.ReportAllocs()
	for b.Loop() {
		r.Refresh()
		r.started()
	}
}
