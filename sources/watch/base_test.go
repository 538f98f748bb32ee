package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"deskbell/sources"
)

// TestBases checks that databases are told of when they are there and when something is
// written to them or to their logs, together after a while, and never opened.
func TestBases(t *testing.T) {
	home := filepath.Join(t.TempDir(), "not", "yet")
	told := make(chan string, 100)
	r := start(t, home, func(o *Options) {
		o.CLIs = []sources.CLI{{Name: "shop", Bases: []sources.Base{{Glob: "shop*.db"}}}}
		o.OnBase = func(cli, home, path string) {
			rel, _ := filepath.Rel(home, path)
			told <- fmt.Sprint(cli, " ", rel)
		}
	})
	expect := func(want string) {
		t.Helper()
		select {
		case got := <-told:
			if got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s is not told of", want)
		}
	}
	silent := func() {
		t.Helper()
		r.do(func() {
			s := r.Source
			s.changed(s.w.Take())
			s.due(time.Now().Add(time.Hour)) // whatever is to be told later
		})
		if len(told) > 0 {
			t.Fatalf("got %q", <-told)
		}
	}
	r.started()
	silent()
	write := func(name, text string) {
		t.Helper()
		f, err := os.OpenFile(filepath.Join(home, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o200) // which cannot be read
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	write("shop.db", "a")
	expect("shop shop.db")
	write("shop.db-wal", "b")
	expect("shop shop.db")
	write("shop.db-wal", "c")
	expect("shop shop.db")
	write("shop-two.db", "a")
	expect("shop shop-two.db")
	write("other.db", "a")
	write("shop.db-shm", "a")
	write("shop.db.bak", "a")
	silent()
	r.do(func() { r.look(); r.due(time.Now().Add(time.Hour)) }) // what has changed since the look before
	expect("shop shop-two.db")
	expect("shop shop.db")
	r.do(func() { r.look() }) // nothing has
	silent()
	for i := range 50 {
		write("shop.db-wal", fmt.Sprint(i))
	}
	expect("shop shop.db")
	for len(told) > 0 { // written in more than one window, it is told of more than once
		expect("shop shop.db")
	}
	r.do(func() {
		for _, b := range r.bases {
			if !strings.HasPrefix(b.path, home) {
				t.Errorf("%s is none", b.path)
			}
		}
		if len(r.bases) != 2 {
			t.Errorf("%d databases are known", len(r.bases))
		}
	})
}
