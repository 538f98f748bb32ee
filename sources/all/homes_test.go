package all_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
	"deskbell/sources/all"
	"deskbell/sources/watch"
)

// TestHomes checks for every CLI that a home named by the environment is watched beside
// the default one, and all kinds of files in it (C71).
func TestHomes(t *testing.T) {
	for _, c := range all.CLIs() {
		if c.HomeEnv == "" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			user, named := filepath.Join(dir, "user"), filepath.Join(dir, "elsewhere")
			for _, name := range []string{"HOME", "USERPROFILE"} {
				t.Setenv(name, user)
			}
			t.Setenv(c.HomeEnv, named)
			homes := watch.DefaultHomes(c)
			if want := []string{c.HomeAt(named), filepath.Join(user, filepath.FromSlash(c.Home))}; !slices.Equal(homes, want) {
				t.Errorf("got %q, want %q", homes, want)
			}
		})
	}
}

// TestHomeOfClaude checks that sessions and transcripts of a home that CLAUDE_CONFIG_DIR
// names are told, with that home, and that those of the default one still are (C71).
func TestHomeOfClaude(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	user, named := filepath.Join(dir, "user"), filepath.Join(dir, "elsewhere")
	for _, name := range []string{"HOME", "USERPROFILE"} {
		t.Setenv(name, user)
	}
	t.Setenv("CLAUDE_CONFIG_DIR", named)
	var want []string
	for n, home := range []string{named, filepath.Join(user, ".claude")} {
		id := fmt.Sprintf("3e227dd2-b1da-44f7-8b91-5a8999a6076%d", n)
		write(t, filepath.Join(home, "sessions", fmt.Sprint(41+n, ".json")), `{"pid":4`+fmt.Sprint(n)+`,"procStart":"7","sessionId":"`+id+`","status":"busy"}`)
		write(t, filepath.Join(home, "projects", "-w-app", id+".jsonl"), `{"type":"user","message":{"content":"x"}}`+"\n")
		want = append(want, home+" listing "+id, home+" transcript "+id)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	s := watch.New(watch.Options{CLIs: all.CLIs()})
	events := make(chan []engine.Event, 100)
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { _ = s.Run(ctx, func(evs ...engine.Event) { events <- evs }) }) // ends with its context, and with nothing else
	got := map[string]bool{}
	for _, n := range []int{0, 1} {
		s.Answer(engine.Question{Ask: engine.AskRecord, Who: engine.Who{Tool: "claude", ID: fmt.Sprintf("3e227dd2-b1da-44f7-8b91-5a8999a6076%d", n)}})
	}
	for slices.ContainsFunc(want, func(w string) bool { return !got[w] }) {
		select {
		case evs := <-events:
			for _, ev := range evs {
				got[fmt.Sprint(ev.Who.Home, " ", ev.By, " ", ev.Who.ID)] = true
			}
		case <-ctx.Done():
			t.Fatalf("got %v, want %q", got, want)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %v, want %q", got, want)
	}
	cancel()
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
