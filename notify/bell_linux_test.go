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

	"deskbell/notify/internal/notifyd"
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
	// Whoever empties a cache hears it again.
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	b.Ring(t.Context())
	b.Wait()
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
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

// A sender has the bell ring for what is to be heard where the desktop has no sound, and
// tells the command of everything.
func TestSenderRings(t *testing.T) {
	bus := notifyd.NewBus(t)
	bin := shims(t, `echo x >>"${0%/*}/rang"`, "aplay")
	plain := bus.Serve(t, "body")
	argv, dir := phone(t, `/bin/cat >>"${0%/*}/got"`)
	d := newDeskWith(t, 0, func(s *Sender) {
		s.Bell, s.Command = NewBell(t.TempDir(), nil), NewCommand(argv, nil)
	})
	rang := func(n int) func() bool {
		return func() bool {
			got, _ := os.ReadFile(filepath.Join(bin, "rang"))
			return len(got) == 2*n
		}
	}
	quiet := ask("s1")
	quiet.Sound = false
	d.raise(quiet)
	plain.Next(t)
	d.settle(t, plain) // the probe rings
	until(t, "one bell", rang(1))
	d.Bell.Wait()
	d.raise(ask("s2"))
	plain.Next(t)
	until(t, "another", rang(2))
	d.Bell.Wait()
	plain.Stop()
	loud := bus.Serve(t, "body", "sound")
	for range 2 { // s1 and s2 stay, and come again in silence
		if n := loud.Next(t); n.Hints["suppress-sound"].Value() != true {
			t.Errorf("got %+v", n)
		}
	}
	d.raise(ask("s3"))
	if file, _ := loud.Next(t).Hints["sound-file"].Value().(string); filepath.Base(file) != "bell.wav" {
		t.Errorf("got the sound %q", file)
	}
	d.settle(t, loud)
	if !rang(2)() {
		t.Error("the bell rang where the service does")
	}
	if got := lined(t, filepath.Join(dir, "got"), 7); !strings.Contains(got[0], `"event":"raise","id":"s1"`) || !strings.Contains(got[2], `"event":"withdraw","id":"probe"`) {
		t.Errorf("got %q", got)
	}
}
