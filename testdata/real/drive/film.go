package main

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"time"
)

// screenEvery is how often the observer looks at a screen. A look costs some
// milliseconds, so a finer one would disturb what it measures.
const screenEvery = 25 * time.Millisecond

func now() time.Time { return time.Now() }

// every calls do at an interval until ctx ends.
func every(ctx context.Context, d time.Duration, do func()) {
	tick := time.NewTicker(d)
	defer tick.Stop()
	for {
		do()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// film is what a pane showed, frame by frame; only frames that differ are kept.
type film struct {
	pane string
	log  *journal

	mu     sync.Mutex
	frames []frame // guarded by mu
}

type frame struct {
	at   time.Time
	text string
}

func (f *film) add(at time.Time, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.frames); n > 0 && f.frames[n-1].text == text {
		return
	}
	f.frames = append(f.frames, frame{at, text})
	f.log.note(at, "SCREEN", "%s: %s", f.pane, gist(text))
}

// shown returns since when the pane has been showing what re matches, and
// whether it does now.
func (f *film) shown(re *regexp.Regexp) (since time.Time, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := len(f.frames) - 1; i >= 0 && re.MatchString(f.frames[i].text); i-- {
		since, ok = f.frames[i].at, true
	}
	return since, ok
}

// latest is what the pane shows now.
func (f *film) latest() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.frames) == 0 {
		return ""
	}
	return f.frames[len(f.frames)-1].text
}

// gist is a screen on one line: its lines that say something.
func gist(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		line = strings.Trim(line, " \t\n─│╭╮╰╯")
		if line != "" {
			kept = append(kept, line)
		}
	}
	if n := len(kept); n > 6 {
		kept = kept[n-6:]
	}
	return strings.Join(kept, " ¦ ")
}
