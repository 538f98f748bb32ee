package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources"
)

// TestAskedWhileWritten asks for a log that is about to be read anyway, and goes on
// writing: reading it out of turn must not lose what comes after.
func TestAskedWhileWritten(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "logs")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	cli := sources.CLI{Name: "x", Files: []sources.Tree{{
		Glob: "logs/*.log", Find: func(w engine.Who) []string { return []string{"logs/" + w.ID + ".log"} },
		Record: func(_ string, line []byte) ([]engine.Event, error) {
			return []engine.Event{{Fact: engine.Described{Title: string(line)}}}, nil
		},
	}}}
	lines := make(chan string, 100)
	s := New(Options{CLIs: []sources.CLI{cli}, Homes: func(sources.CLI) []string { return []string{home} }})
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = s.Run(ctx, func(evs ...engine.Event) {
			for _, ev := range evs {
				lines <- ev.Fact.(engine.Described).Title
			}
		})
	})
	defer wg.Wait()
	defer cancel()
	await := func(want string) {
		t.Helper()
		for late := time.After(5 * time.Second); ; {
			select {
			case got := <-lines:
				if got == want { // a log that is asked for is told from its beginning
					return
				}
			case <-late:
				t.Fatalf("%s was never told", want)
			}
		}
	}
	for i := range 10 {
		id := fmt.Sprint("log", i)
		f, err := os.OpenFile(filepath.Join(dir, id+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for n := range 4 {
			line := fmt.Sprint(id, " line ", n)
			if _, err := fmt.Fprintln(f, line); err != nil {
				t.Fatal(err)
			}
			if n < 3 {
				s.Answer(engine.Question{Ask: engine.AskRecord, Who: engine.Who{Tool: "x", ID: id}})
			}
			await(line)
		}
	}
}

// TestNewLogFromItsBeginning checks that a log that is made while we look is told whole,
// however much of it is there when we come to read it: a first prompt stands before
// 64 KB of bookkeeping.
func TestNewLogFromItsBeginning(t *testing.T) {
	home := t.TempDir()
	cli := sources.CLI{Name: "x", Files: []sources.Tree{{
		Glob: "logs/*/*.log", Find: func(w engine.Who) []string { return []string{"logs/*/" + w.ID + ".log"} },
		Record: func(_ string, line []byte) ([]engine.Event, error) {
			return []engine.Event{{Fact: engine.Described{Title: string(line[:5])}}}, nil
		},
	}}}
	told := make(chan string, 100)
	s := New(Options{CLIs: []sources.CLI{cli}, Homes: func(sources.CLI) []string { return []string{home} }})
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = s.Run(ctx, func(evs ...engine.Event) {
			for _, ev := range evs {
				told <- ev.Fact.(engine.Described).Title
			}
		})
	})
	defer wg.Wait()
	defer cancel()
	if err := s.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	text := "first\n" + strings.Repeat("x", 3*window) + "\nlast!\n"
	for _, dir := range []string{"old", "new"} {
		if err := os.MkdirAll(filepath.Join(home, "logs", dir), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, "logs", dir, "a.log"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"first", "xxxxx", "last!"} {
			select {
			case got := <-told:
				if got != want {
					t.Errorf("%s: got %q, want %q", dir, got, want)
				}
			case <-time.After(5 * time.Second):
				t.Fatalf("%s: %q was never told", dir, want)
			}
		}
	}
}
