package config

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"deskbell/engine"
)

// bench is a Watcher that rings when a test says so.
type bench struct {
	ring    chan struct{}
	wanted  []string
	dropped []string
	full    bool
}

func newBench() *bench { return &bench{ring: make(chan struct{}, 1)} }

func (b *bench) Want(dir string) error {
	b.wanted = append(b.wanted, dir)
	if b.full {
		return errors.New("too many folders")
	}
	return nil
}

func (b *bench) Drop(dir string)       { b.dropped = append(b.dropped, dir) }
func (b *bench) Ring() <-chan struct{} { return b.ring }
func (b *bench) Take()                 {}

func (b *bench) happen() {
	select {
	case b.ring <- struct{}{}:
	default:
	}
}

// temp is a folder without links on the way to it.
func temp(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func save(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// rest is a configuration with one limit.
func rest(length string) string { return "[limits]\nrest = \"" + length + "\"\n" }

// TestLoad checks what holds after each state of a file.
func TestLoad(t *testing.T) {
	path := filepath.Join(temp(t), "deskbell", "config.toml")
	f := &File{Path: path, World: world}
	def := engine.DefaultLimits()[engine.Rest]
	for _, step := range []struct {
		name  string
		do    func()
		fresh bool
		rest  time.Duration
		wrong string
	}{
		{"none", func() {}, true, def, ""},
		{"none again", func() {}, false, def, ""},
		{"made", func() { save(t, path, rest("1m")) }, true, time.Minute, ""},
		{"saved as it was", func() { save(t, path, rest("1m")) }, false, time.Minute, ""},
		{"broken", func() { save(t, path, rest("soon")) }, true, time.Minute, path + ":2: limits.rest: "},
		{"broken again", func() {}, false, time.Minute, path + ":2: limits.rest: "},
		{"half of it mended", func() { save(t, path, rest("2m")+"rset = 1\n") }, true, time.Minute, path + ":3: limits.rset: "},
		{"mended", func() { save(t, path, rest("2m")) }, true, 2 * time.Minute, ""},
		{"too large", func() { save(t, path, strings.Repeat("#", largest+1)) }, true, 2 * time.Minute, path + ": it is larger than"},
		{"a folder", func() { os.Remove(path); os.Mkdir(path, 0o700) }, true, 2 * time.Minute, path + ": it is no file: move it away"},
		{"gone", func() { os.Remove(path) }, true, def, ""},
	} {
		step.do()
		s, fresh := f.Load()
		if got := s.Config.Limits[engine.Rest]; got != step.rest || fresh != step.fresh {
			t.Errorf("%s: got %v, fresh %t; want %v, %t", step.name, got, fresh, step.rest, step.fresh)
		}
		if (len(s.Problems) > 0) != (step.wrong != "") || len(s.Problems) > 0 && !strings.HasPrefix(s.Problems[0].String(), step.wrong) {
			t.Errorf("%s: got %v, want %s", step.name, s.Problems, step.wrong)
		}
	}
}

// TestLoadBroken checks that the defaults hold where the first thing read is broken.
func TestLoadBroken(t *testing.T) {
	path := filepath.Join(temp(t), "config.toml")
	save(t, path, rest("1m")+"x = 1\n")
	f := &File{Path: path, World: world}
	s, _ := f.Load()
	if s.Config.Limits != engine.DefaultLimits() || len(s.Problems) != 1 {
		t.Errorf("got %v, %v", s.Config.Limits, s.Problems)
	}
	if lines := f.Check(); len(lines) != 1 || !strings.Contains(lines[0], path+":3: limits.x: ") {
		t.Errorf("got %q", lines)
	}
}

// following runs a File in a bubble. told are the limits of the states it has told since
// it was asked last.
func following(t *testing.T, f *File, b *bench, during func(told func() []time.Duration)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		states := make(chan time.Duration, 100)
		var wg sync.WaitGroup
		b.ring = make(chan struct{}, 1)
		wg.Go(func() { f.Run(ctx, b, func(s State) { states <- s.Config.Limits[engine.Rest] }) })
		during(func() (out []time.Duration) {
			synctest.Wait()
			for len(states) > 0 {
				out = append(out, <-states)
			}
			return out
		})
		cancel()
		wg.Wait()
	})
}

// TestRunCoalesces checks that several steps of a save are one, and that a file which is
// written all the time is looked at now and then.
func TestRunCoalesces(t *testing.T) {
	path := filepath.Join(temp(t), "config.toml")
	f, b := &File{Path: path, World: world}, newBench()
	f.Load()
	following(t, f, b, func(told func() []time.Duration) {
		for _, text := range []string{"", rest("1m"), rest("2m")} {
			time.Sleep(10 * time.Millisecond)
			save(t, path, text)
			b.happen()
		}
		time.Sleep(calm - time.Millisecond)
		if got := told(); len(got) > 0 {
			t.Errorf("told %v before it was calm", got)
		}
		time.Sleep(2 * time.Millisecond)
		if got, want := told(), []time.Duration{2 * time.Minute}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		b.happen() // of another file in the folder
		time.Sleep(time.Hour)
		if got := told(); len(got) > 0 {
			t.Errorf("told %v, nothing was changed", got)
		}
		const steps, apart = 100, 23 * time.Millisecond // never at the moment of a look
		for n := range steps {
			save(t, path, rest((time.Minute + time.Duration(n)*time.Second).String()))
			b.happen()
			time.Sleep(apart)
		}
		time.Sleep(time.Second)
		if n := len(told()); n < 3 || n > 10 {
			t.Errorf("told %d times in %v, want each %v", n, steps*apart, longest)
		}
	})
}

// TestRunSeesWhatWasBefore checks that a save between Load and Run is told.
func TestRunSeesWhatWasBefore(t *testing.T) {
	path := filepath.Join(temp(t), "config.toml")
	f, b := &File{Path: path, World: world}, newBench()
	f.Load()
	save(t, path, rest("1m"))
	following(t, f, b, func(told func() []time.Duration) {
		if got, want := told(), []time.Duration{time.Minute}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// TestRunDeaf checks that it is said once that changes are not seen.
func TestRunDeaf(t *testing.T) {
	var said []string
	f, b := &File{Path: filepath.Join(temp(t), "config.toml"), World: world, Say: func(s string) { said = append(said, s) }}, newBench()
	b.full = true
	following(t, f, b, func(told func() []time.Duration) {
		told()
		b.happen()
		time.Sleep(time.Second)
	})
	if len(said) != 1 || !strings.HasSuffix(said[0], "are seen at the next start only: too many folders") {
		t.Errorf("said %q", said)
	}
}

// TestNoPath checks that without a place for the file there is none.
func TestNoPath(t *testing.T) {
	f, b := &File{World: world}, newBench()
	if s, _ := f.Load(); len(s.Problems) > 0 || s.Config.Limits != engine.DefaultLimits() {
		t.Errorf("got %+v", s)
	}
	f.Run(t.Context(), b, func(State) { t.Error("told something") })
	if len(b.wanted) > 0 {
		t.Errorf("watches %q", b.wanted)
	}
}

// TestFolders checks that the folders of all links are followed, as they change.
func TestFolders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege")
	}
	dir := temp(t)
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	path := at("x/deskbell/config.toml")
	link := func(to, from string) {
		t.Helper()
		os.Remove(from)
		if err := os.MkdirAll(filepath.Dir(from), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	check := func(name string, want ...string) {
		t.Helper()
		var got []string
		for _, f := range folders(path) {
			rel, err := filepath.Rel(dir, f)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, filepath.ToSlash(rel))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	check("nothing", "x/deskbell")
	link(at("dots/bell.toml"), path)
	check("a link to nothing", "x/deskbell", "dots")
	link("../more/bell.toml", at("dots/bell.toml"))
	check("a link to a link", "x/deskbell", "dots", "more")
	link("bell.toml", at("more/bell.toml"))
	check("a link to itself", "x/deskbell", "dots", "more")

	f, b := &File{Path: path, World: world}, newBench()
	f.follow(b)
	link(at("other/bell.toml"), path)
	f.follow(b)
	if want := []string{at("dots"), at("more")}; !slices.Equal(b.dropped, want) {
		t.Errorf("dropped %q, want %q", b.dropped, want)
	}

	os.RemoveAll(at("x/deskbell"))
	link("../dots/deskbell", at("x/deskbell"))
	check("a folder that is a link", "x/deskbell", "x", "dots")
}
