package config_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/config"
	"deskbell/engine"
	"deskbell/sources/watch"
)

// TestFollow checks with real files that whatever is done to the
// configuration is seen, whoever does it and how.
func TestFollow(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path, elsewhere := filepath.Join(dir, "xdg", "deskbell", "config.toml"), filepath.Join(dir, "dots", "bell.toml")
	rest := func(length string) string { return "[limits]\nrest = \"" + length + "\"\n" }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	replace := func(at, text string) { write(t, at+"~", text); must(os.Rename(at+"~", at)) }
	lead := func(to, length string) {
		write(t, filepath.Join(dir, to, "config.toml"), rest(length))
		must(os.Symlink(filepath.Join(dir, to), filepath.Dir(path)+"~"))
		must(os.Rename(filepath.Dir(path)+"~", filepath.Dir(path)))
	}
	steps := []struct {
		name  string
		do    func()
		rest  time.Duration
		wrong string
		links bool
	}{
		{name: "its folder's folder is made", do: func() { must(os.Mkdir(filepath.Join(dir, "xdg"), 0o700)); write(t, path, rest("1m")) }, rest: time.Minute},
		{name: "written to", do: func() { write(t, path, rest("2m")) }, rest: 2 * time.Minute},
		{name: "broken", do: func() { write(t, path, rest("soon")) }, rest: 2 * time.Minute, wrong: path + ":2: limits.rest: "},
		{name: "replaced", do: func() { replace(path, rest("3m")) }, rest: 3 * time.Minute},
		{name: "saved twice", do: func() { write(t, path, rest("4m")); write(t, path, rest("5m1s")) }, rest: 5*time.Minute + time.Second},
		{name: "renamed away", do: func() { must(os.Rename(path, path+".old")) }, rest: engine.DefaultLimits()[engine.Rest]},
		{name: "renamed back", do: func() { must(os.Rename(path+".old", path)) }, rest: 5*time.Minute + time.Second},
		{name: "its folder is removed", do: func() { must(os.RemoveAll(filepath.Dir(path))) }, rest: engine.DefaultLimits()[engine.Rest]},
		{name: "made again", do: func() { write(t, path, rest("6m")) }, rest: 6 * time.Minute},
		{name: "a link in its place", do: func() {
			write(t, elsewhere, rest("7m"))
			must(os.Symlink(elsewhere, path+"~"))
			must(os.Rename(path+"~", path))
		}, rest: 7 * time.Minute, links: true},
		{name: "written to behind the link", do: func() { write(t, elsewhere, rest("8m")) }, rest: 8 * time.Minute, links: true},
		{name: "replaced behind the link", do: func() { replace(elsewhere, rest("9m")) }, rest: 9 * time.Minute, links: true},
		{name: "gone behind the link", do: func() { must(os.Remove(elsewhere)) }, rest: engine.DefaultLimits()[engine.Rest], links: true},
		{name: "back behind the link", do: func() { write(t, elsewhere, rest("10m")) }, rest: 10 * time.Minute, links: true},
		{name: "a link in place of its folder", do: func() { must(os.RemoveAll(filepath.Dir(path))); lead("one", "11m") }, rest: 11 * time.Minute, links: true},
		{name: "that leads elsewhere", do: func() { lead("two", "12m") }, rest: 12 * time.Minute, links: true},
		{name: "written to behind it", do: func() { write(t, filepath.Join(dir, "two", "config.toml"), rest("13m")) }, rest: 13 * time.Minute, links: true},
	}

	f := &config.File{Path: path, Say: func(text string) { t.Error(text) }}
	begin, _ := f.Load()
	if got := begin.Config.Limits; got != engine.DefaultLimits() {
		t.Errorf("got %v without a file", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	states := make(chan config.State, 100)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	w := watch.NewFolders()
	defer w.Close()
	ready := make(chan struct{})
	wg.Go(func() { f.Run(ctx, announced{w, ready, new(sync.Once)}, func(s config.State) { states <- s }) })
	<-ready
	for _, step := range steps {
		if step.links && runtime.GOOS == "windows" {
			continue // links take a privilege
		}
		step.do()
		limit := time.After(10 * time.Second)
		for right := false; !right; {
			select {
			case s := <-states: // a slow machine may see a step half done
				right = s.Config.Limits[engine.Rest] == step.rest && (len(s.Problems) > 0) == (step.wrong != "")
				if right && step.wrong != "" && !strings.HasPrefix(s.Problems[0].String(), step.wrong) {
					t.Errorf("%s: got %v, want %s", step.name, s.Problems, step.wrong)
				}
			case <-limit:
				t.Fatalf("%s: not seen", step.name)
			}
		}
	}
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

// announced tells when the folders are watched and somebody listens.
type announced struct {
	watch.Folders
	ready chan struct{}
	once  *sync.Once
}

func (a announced) Ring() <-chan struct{} {
	a.once.Do(func() { close(a.ready) })
	return a.Folders.Ring()
}
