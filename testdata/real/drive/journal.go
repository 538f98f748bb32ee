package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// journal is the merged log of a run: every witness writes into it, with the
// milliseconds since its beginning.
type journal struct {
	began time.Time
	mu    sync.Mutex
	file  *os.File // guarded by mu
}

func openJournal(path string) (*journal, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &journal{began: time.Now(), file: f}, nil
}

// note writes one line about something seen at the time t.
func (j *journal) note(t time.Time, who, format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	fmt.Fprintf(j.file, "%9.1f ms  %-6s %s\n", ms(t.Sub(j.began)), who, fmt.Sprintf(format, args...))
}

func (j *journal) now(who, format string, args ...any) { j.note(time.Now(), who, format, args...) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
