package notify

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"deskbell/notify/internal/notifyd"
)

// shims puts programs of the fallback first in PATH that do what script says.
func shims(t *testing.T, script string, names ...string) (dir string) {
	dir = t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	return dir
}

// Where the service cannot be reached, programs are tried. No text is taken for
// an option, and none is read by a shell.
func TestFallback(t *testing.T) {
	notifyd.NewBus(t)
	n := Notice{ID: "s1", Title: "--version", Body: "-x $(touch pwned) `id` ; a & b <i>", Line: "~/app", Stays: true}
	for _, c := range []struct {
		program string
		want    []string
	}{
		{"notify-send", []string{"--app-name=deskbell", "--", "--version", "-x $(touch pwned) `id` ; a &amp; b &lt;i&gt;\n~/app"}},
		{"kdialog", []string{"--title=--version", "--passivepopup=-x $(touch pwned) `id` ; a & b ‹i›\n~/app", "15"}},
	} {
		dir := shims(t, `for a; do printf '%s\0' "$a"; done >"${0%/*}/args"`, c.program)
		b := NewDesktop(nil)
		if mute, err := b.Raise(t.Context(), n); err != nil || !mute {
			t.Fatal(err)
		}
		b.Close(t.Context())
		got, err := os.ReadFile(filepath.Join(dir, "args"))
		if want := strings.Join(c.want, "\x00") + "\x00"; err != nil || string(got) != want {
			t.Errorf("%s got %q, want %q (%v)", c.program, got, want, err)
		}
	}
}

// Programs that hang, too, are ended.
func TestFallbackStuckC95(t *testing.T) {
	notifyd.NewBus(t)
	shims(t, "exec /bin/sleep 60", "notify-send", "kdialog")
	b := NewDesktop(nil)
	defer b.Close(t.Context())
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := b.Raise(ctx, Notice{ID: "s1", Title: "x"}); err == nil {
		t.Error("got no error")
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

// Without a bus, a service and any program it is one plain error, and no panic.
func TestFallbackNothingC96(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	shims(t, "exit 1", "notify-send")
	b := NewDesktop([]byte("no picture"))
	for range 2 {
		_, err := b.Raise(t.Context(), Notice{ID: "s1", Title: "x"})
		if err == nil || !strings.HasPrefix(err.Error(), "session bus: ") {
			t.Errorf("got %v", err)
		}
	}
	if err := b.Withdraw(t.Context(), "s1"); err != nil {
		t.Error(err)
	}
	if err := b.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
