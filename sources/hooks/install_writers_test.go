package hooks

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// meddle has the files of d be changed by others: during, right before one is
// exchanged, and waiting, while we wait for a writer.
func (d *house) meddle(during, waiting func()) {
	d.placeOf = func(path string) (place, error) {
		p, err := placeOf(path)
		p.seam = during
		p.wait = func(time.Duration) { waiting() }
		if d.cannotSwap {
			p.swap = func(a, b string) error { return errors.ErrUnsupported }
		}
		return p, err
	}
}

const foreign = "{\n  \"model\": \"opus\"\n}\n"

// TestTwoWriters has somebody write between our last look and our own write.
func TestTwoWriters_C83(t *testing.T) {
	replaced := func(d *house, text string) { // as a program does that writes at one stroke
		temp := d.settings() + ".tmp"
		d.write(temp, text, 0o600)
		if err := os.Rename(temp, d.settings()); err != nil {
			t.Fatal(err)
		}
	}
	inPlace := func(d *house, text string) { d.write(d.settings(), text, 0o600) }
	for _, test := range []struct {
		name  string
		write func(d *house, text string)
	}{{"at one stroke", replaced}, {"in place", inPlace}} {
		for i := range 4 {
			install := i%2 == 0
			d := newHouse(t, "home")
			d.write(d.settings(), foreign, 0o600)
			if !install {
				d.must("", true)
			}
			times := 0
			d.cannotSwap = i > 1
			d.meddle(func() {
				if times++; times < 4 {
					test.write(d, strings.Replace(d.read(d.settings()), "{\n", "{\n  \"n\": true,\n", 1))
				}
			}, func() {})
			d.must("", install)
			d.meddle(func() {}, func() {})
			got := d.read(d.settings())
			if n := strings.Count(got, `"n": true`); n != 3 || !strings.Contains(got, "opus") {
				t.Errorf("%s, %v: %d of 3 changes are left in\n%s", test.name, install, n, got)
			}
			if install {
				if r := d.check(); !r.Healthy() {
					t.Errorf("%s: %+v", test.name, r)
				}
				d.must("", false)
			}
			want := strings.Replace(foreign, "{\n", "{\n  \"n\": true,\n  \"n\": true,\n  \"n\": true,\n", 1)
			if got := d.read(d.settings()); got != want {
				t.Errorf("%s, %v: got\n%s\nwant\n%s", test.name, install, got, want)
			}
		}
	}
}

// TestAppears has the file appear while it is made, and go while it is replaced.
func TestAppears_C83(t *testing.T) {
	d := newHouse(t, "home")
	var once sync.Once
	d.meddle(func() { once.Do(func() { d.write(d.settings(), foreign, 0o600) }) }, func() {})
	d.must("", true)
	if r := d.check(); !r.Healthy() || !strings.Contains(d.read(d.settings()), "opus") {
		t.Errorf("%+v\n%s", r, d.read(d.settings()))
	}
	d.must("", false)
	if got := d.read(d.settings()); got != foreign {
		t.Errorf("got %q", got)
	}
	once = sync.Once{}
	d.meddle(func() { once.Do(func() { os.Remove(d.settings()) }) }, func() {})
	d.must("", true)
	if r := d.check(); !r.Healthy() || strings.Contains(d.read(d.settings()), "opus") {
		t.Errorf("%+v\n%s", r, d.read(d.settings()))
	}
	// While we remove the file, somebody finds something to put in it.
	once = sync.Once{}
	d.meddle(func() {
		once.Do(func() {
			d.write(d.settings(), strings.Replace(d.read(d.settings()), "{\n", "{\n  \"a\": 1,\n", 1), 0o600)
		})
	}, func() {})
	d.must("", false)
	if got := d.read(d.settings()); got != "{\n  \"a\": 1\n}\n" {
		t.Errorf("got %q", got)
	}
}

// TestTorn looks while somebody is in the middle of writing.
func TestTorn_C83(t *testing.T) {
	d := newHouse(t, "home")
	d.write(d.settings(), foreign[:9], 0o600)
	waits := 0
	d.meddle(func() {}, func() {
		if waits++; waits == looks-1 {
			d.write(d.settings(), foreign, 0o600)
		}
	})
	d.must("", true)
	d.must("", false)
	if got := d.read(d.settings()); got != foreign || waits != looks-1 {
		t.Errorf("got %q after %d waits", got, waits)
	}

	// Half is written when we exchange the file, the rest thereafter.
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		return
	}
	for _, ends := range []bool{true, false} {
		d.write(d.settings(), foreign, 0o600)
		var half *os.File
		defer func() { half.Close() }()
		d.meddle(func() {
			if half != nil {
				return
			}
			f, err := os.OpenFile(d.settings(), os.O_WRONLY|os.O_TRUNC, 0)
			if err != nil {
				t.Fatal(err)
			}
			half = f
			half.WriteString(`{"haiku": `)
		}, func() {
			if ends {
				half.WriteString(`1}`)
				ends = false
			}
		})
		whole := ends
		err := d.run("", true)
		got := d.read(d.settings())
		d.meddle(func() {}, func() {})
		if whole {
			if r := d.check(); err != nil || !r.Healthy() || !strings.HasPrefix(got, `{"haiku": 1,`) {
				t.Errorf("%v, %+v\n%s", err, r, got)
			}
			d.must("", false)
			if got := d.read(d.settings()); got != `{"haiku": 1}` {
				t.Errorf("got %q", got)
			}
		} else {
			var b *Broken
			if !errors.As(err, &b) || got != `{"haiku": ` {
				t.Errorf("%v, got %q, want it as he left it", err, got)
			}
		}
		if got := d.files(); strings.Contains(got, ".settings.json") {
			t.Errorf("left %s", got)
		}
	}
}

// TestBusy has somebody write whenever we do.
func TestBusy_C83(t *testing.T) {
	d := newHouse(t, "home")
	d.write(d.settings(), foreign, 0o600)
	n := 0
	d.meddle(func() {
		n++
		d.write(d.settings(), "{\n"+strings.Repeat(" ", n)+"}", 0o600)
	}, func() {})
	if err := d.run("", true); err == nil || !strings.Contains(err.Error(), "later") {
		t.Errorf("got %v", err)
	}
	if got := d.files(); strings.Contains(got, "/.settings.json") {
		t.Errorf("left %s", got)
	}
}

// TestOfUs has several of us install and remove at once.
func TestOfUs_C83(t *testing.T) {
	d := newHouse(t, "home")
	d.placeOf = nil
	d.write(d.settings(), foreign, 0o640)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if err := d.run("", true); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if r := d.check(); !r.Healthy() {
		t.Errorf("%+v", r)
	}
	for range 6 {
		wg.Go(func() {
			if err := d.run("", false); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := d.read(d.settings()); got != foreign {
		t.Errorf("got %q", got)
	}
	if got := d.files(); strings.Contains(got, "/.settings.json") {
		t.Errorf("left %s", got)
	}
}

func TestLinks(t *testing.T) {
	for _, test := range []struct{ name, to string }{
		{"absolute", "ABS"}, {"relative", filepath.Join("..", "dotfiles", "claude.json")},
	} {
		for _, there := range []bool{true, false} {
			d := newHouse(t, "home")
			target := filepath.Join(d.Home, "dotfiles", "claude.json")
			d.mkdir(filepath.Dir(target))
			to := test.to
			if to == "ABS" {
				to = target
			}
			if err := os.Symlink(to, d.settings()); err != nil {
				t.Skip(err)
			}
			if there {
				d.write(target, foreign, 0o640)
			}
			before := d.files()
			d.must("", true)
			if info, err := os.Lstat(d.settings()); err != nil || info.Mode()&fs.ModeSymlink == 0 {
				t.Errorf("%s: the link is gone: %v", test.name, err)
			}
			if !strings.Contains(d.read(target), clientName) {
				t.Errorf("%s: nothing in the target", test.name)
			}
			if r := d.check(); !r.Healthy() {
				t.Errorf("%+v", r)
			}
			d.must("", false)
			if got := d.files(); got != before {
				t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, before)
			}
		}
	}
	d := newHouse(t, "home")
	os.Remove(filepath.Dir(d.settings()))
	d.write(filepath.Join(d.Home, "volume", "settings.json"), foreign, 0o600)
	if err := os.Symlink("volume", filepath.Dir(d.settings())); err != nil {
		t.Fatal(err)
	}
	before := d.files()
	d.must("", true)
	d.must("", false)
	if got := d.files(); got != before {
		t.Errorf("got\n%s\nwant\n%s", got, before)
	}
	// "..", in a linked folder, leads out of where that is
	d = newHouse(t, "home")
	os.Remove(filepath.Dir(d.settings()))
	d.mkdir(filepath.Join(d.Home, "dot", "claude"))
	d.mkdir(filepath.Join(d.Home, "dot", "common"))
	if err := errors.Join(
		os.Symlink(filepath.Join("dot", "claude"), filepath.Dir(d.settings())),
		os.Symlink(filepath.Join("..", "common", "settings.json"), d.settings()),
	); err != nil {
		t.Fatal(err)
	}
	d.must("", true)
	if !strings.Contains(d.read(filepath.Join(d.Home, "dot", "common", "settings.json")), clientName) {
		t.Error("nothing in the target of a link in a linked folder")
	}
	os.Remove(d.settings())
	if err := os.Symlink("settings.json", d.settings()); err != nil {
		t.Fatal(err)
	}
	if err := d.run("", true); err == nil {
		t.Error("a link to itself was followed")
	}
}

// TestStranded has the second exchange fail: what somebody else wrote comes first, and
// is never removed.
func TestStranded_C83(t *testing.T) {
	const theirs = "{\n  \"theirs\": true\n}\n"
	for _, fails := range []int{2, 3} {
		d := newHouse(t, "home")
		d.write(d.settings(), foreign, 0o600)
		meddled := false
		d.placeOf = func(path string) (place, error) {
			p, err := placeOf(path)
			p.wait = func(time.Duration) {}
			p.seam = func() {
				if !meddled {
					d.write(d.settings(), theirs, 0o600)
				}
				meddled = true
			}
			swap, times := p.swap, 0
			p.swap = func(a, b string) error {
				if times++; times == fails {
					return errors.New("input/output error")
				}
				if times == 2 { // somebody is as fast as that
					d.write(b, theirs, 0o600)
				}
				return swap(a, b)
			}
			return p, err
		}
		d.must("", true)
		if got := d.read(d.settings()); !strings.Contains(got, "theirs") || !strings.Contains(got, clientName) {
			t.Errorf("swap %d fails: the file is\n%s", fails, got)
		}
	}
}

// TestReadOnly refuses, and says so before it asks.
func TestReadOnly(t *testing.T) {
	d := newHouse(t, "home")
	d.write(d.settings(), foreign, 0o444)
	before := d.files()
	_, apply, err := d.Plan("claude", "", true)
	if err == nil || !strings.Contains(err.Error(), "read-only") || apply != nil {
		t.Errorf("got %v", err)
	}
	if got := d.files(); got != before {
		t.Errorf("got\n%s", got)
	}
	if _, err := os.Stat(d.client()); err == nil {
		t.Error("the client was copied all the same")
	}
	os.Chmod(d.settings(), 0o644)
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Log("the rest of this test needs an ordinary user on a Unix system")
		return
	}
	dir := filepath.Dir(d.settings())
	os.Chmod(dir, 0o555)
	defer os.Chmod(dir, 0o755)
	if err := d.run("", true); err == nil || !strings.Contains(err.Error(), "its folder cannot be written") {
		t.Errorf("got %v", err)
	}
	if got := d.read(d.settings()); got != foreign {
		t.Errorf("got %q", got)
	}
}

// TestNoFile meets what is no file.
func TestNoFile(t *testing.T) {
	d := newHouse(t, "home")
	d.mkdir(d.settings())
	if err := d.run("", true); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("got %v", err)
	}
	os.Remove(d.settings())
	d.write(d.settings(), string(bytes.Repeat([]byte(" "), largest+1)), 0o600)
	if err := d.run("", true); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("got %v", err)
	}
}
