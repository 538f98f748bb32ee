package notify

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// ringing is a bell with the words it said.
func ringing(t *testing.T, dir string) (*Bell, func() []string) {
	var mu sync.Mutex
	var said []string
	b := NewBell(dir, func(what string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, what)
	})
	t.Cleanup(b.Wait)
	return b, func() []string {
		b.Wait()
		mu.Lock()
		defer mu.Unlock()
		return said
	}
}

// The first program that plays is used, with the name of the file as it is.
func TestBellPlays(t *testing.T) {
	bin := shims(t, `echo "${0##*/}" >>"${0%/*}/tried"; for a; do printf '%s\0' "$a"; done >"${0%/*}/args"; test "${0##*/}" = aplay`, "canberra-gtk-play", "pw-play", "aplay")
	dir := filepath.Join(t.TempDir(), "a dir $(touch x)")
	b, said := ringing(t, dir)
	b.Ring(t.Context())
	if got := said(); got != nil {
		t.Errorf("said %q", got)
	}
	file := filepath.Join(dir, "bell.wav")
	if args, err := os.ReadFile(filepath.Join(bin, "args")); err != nil || string(args) != "-q\x00"+file+"\x00" {
		t.Errorf("got %q, %v", args, err)
	}
	if tried, _ := os.ReadFile(filepath.Join(bin, "tried")); string(tried) != "canberra-gtk-play\npw-play\naplay\n" {
		t.Errorf("tried %q", tried)
	}
	if wav, err := os.ReadFile(file); err != nil || !bytes.Equal(wav, chime()) {
		t.Errorf("the file has %d bytes, %v", len(wav), err)
	}
	if all, _ := os.ReadDir(dir); len(all) != 1 {
		t.Errorf("%v is left behind", all)
	}
}

// Without a player there is no sound, and that is said once.
func TestBellMissing(t *testing.T) {
	shims(t, "")
	b, said := ringing(t, t.TempDir())
	for range 3 {
		b.Ring(t.Context())
		b.Wait()
	}
	if got := said(); len(got) != 1 || !strings.HasPrefix(got[0], "notices make no sound: no program plays sounds (pw-play") {
		t.Errorf("said %q", got)
	}
	// ... as is that the sound cannot be kept.
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b, said = ringing(t, filepath.Join(file, "below"))
	b.Ring(t.Context())
	b.Wait()
	b.Ring(t.Context())
	if got := said(); len(got) != 1 || b.File() != "" {
		t.Errorf("said %q, the file is %q", got, b.File())
	}
	var none *Bell
	none.Ring(t.Context())
	none.Wait()
	if none.File() != "" {
		t.Error("no bell has a file")
	}
}

// While it rings it rings once, and who quits waits for no end of it.
func TestBellIsOne(t *testing.T) {
	bin := shims(t, `echo x >>"${0%/*}/rang"; exec /bin/sleep 60`, "aplay")
	b, said := ringing(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	began := time.Now()
	for range 100 {
		b.Ring(ctx)
	}
	rang := func() string {
		got, _ := os.ReadFile(filepath.Join(bin, "rang"))
		return string(got)
	}
	until(t, "it to ring", func() bool { return rang() != "" })
	cancel()
	if got := said(); got != nil {
		t.Errorf("said %q", got)
	}
	if got := rang(); got != "x\n" || time.Since(began) > 30*time.Second {
		t.Errorf("it rang %q in %v", got, time.Since(began))
	}
}
