package notify

import (
	"context"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"deskbell/engine"
)

// needs are the programs of the desktop in testdata/desktop, and their packages.
var needs = map[string]string{
	"Xvfb": "xvfb", "dbus-run-session": "dbus", "gdbus": "libglib2.0-bin", "openbox": "openbox",
	"dunst": "dunst", "dunstctl": "dunst", "xdotool": "xdotool", "import": "imagemagick",
}

// desktop runs a real notification daemon on a display of its own, and gives
// what talks to it.
func desktop(t *testing.T, options ...string) (sh func(args ...string) string) {
	t.Helper()
	if testing.Short() {
		t.Skip("a desktop is not started in a short test")
	}
	lack := t.Skipf
	if os.Getenv("CI") == "true" {
		lack = t.Fatalf
	}
	script, err := filepath.Abs("../testdata/desktop/desktop.sh")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(script); err != nil {
		lack("no desktop: %v", err)
	}
	for program, pack := range needs {
		if _, err := exec.LookPath(program); err != nil {
			lack("no %s (Debian: %s)", program, pack)
		}
	}
	dir, err := os.MkdirTemp("", "desk") // a socket's path is limited to 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("DESKTOP_DIR", filepath.Join(dir, "d"))
	sh = func(args ...string) string {
		t.Helper()
		out, err := exec.Command("bash", append([]string{script}, args...)...).Output()
		if err != nil {
			t.Fatalf("desktop.sh %q: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	t.Cleanup(func() { exec.Command("bash", script, "stop").Run() })
	if slices.Contains(options, "--xfce-notify") {
		if found, _ := filepath.Glob("/usr/lib/*/xfce4/notifyd/xfce4-notifyd"); found == nil {
			lack("no xfce4-notifyd (Debian: xfce4-notifyd)")
		}
	}
	sh(append([]string{"start", "--no-panel"}, options...)...)
	address := regexp.MustCompile(`DBUS_SESSION_BUS_ADDRESS='?([^'\n]+)`).FindStringSubmatch(sh("env"))
	if address == nil {
		t.Fatal("the desktop has no bus")
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address[1])
	return sh
}

// until waits for the desktop to come to look like that.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(10 * time.Second); !ok(); <-tick.C {
		if time.Now().After(end) {
			t.Fatal("waited 10 s for ", what)
		}
	}
}

// The real dunst shows, changes, closes and answers a click.
func TestDunst(t *testing.T) {
	sh := desktop(t)
	said := make(chan string, 16)
	s := NewSender(NewDesktop(nil), func(what string) { said <- what })
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { s.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		wg.Wait()
	})
	shown := func(n string) func() bool {
		return func() bool { return sh("run", "dunstctl", "count", "displayed") == n }
	}
	click := func() {
		t.Helper()
		select {
		case e := <-s.Events():
			if e.ID != "s1" || e.Action != Open {
				t.Errorf("got %+v", e)
			}
		case what := <-said:
			t.Fatal(what)
		case <-time.After(10 * time.Second):
			t.Fatal("no click came back")
		}
	}
	raise := func(n Notice) { s.Show([]Notice{n}, nil) }

	n := ask("s1")
	n.Body = "Bash: a && b <i>"
	raise(n)
	until(t, "the notice", shown("1"))
	n.Body, n.Replaces, n.Silent = "Bash: other", true, true
	raise(n)
	raise(ask("s2"))
	until(t, "a second one", shown("2"))
	s.Show(nil, []engine.ID{"s2"})
	until(t, "the second to go", shown("1"))
	if history := sh("notify-history"); !strings.Contains(history, "s2 needs your approval") || strings.Contains(history, "s1 needs") {
		t.Errorf("the wrong one went: %s", history)
	}
	sh("run", "dunstctl", "action", "0")
	click()
	sh("click", "1100", "60")
	click()
	until(t, "the clicked one to go", shown("0"))
	if history := sh("notify-history"); !strings.Contains(history, "Bash: other") {
		t.Errorf("the text was not changed: %s", history)
	}

	raise(ask("s1"))
	until(t, "it to come again", shown("1"))
	sh("stop-notify")
	sh("start-notify")
	until(t, "it to come to the next daemon", shown("1"))
	cancel()
	until(t, "it to go with us", shown("0"))
}

// An alert is critical there, and a pause keeps our sound away.
func TestDunstAlert(t *testing.T) {
	sh := desktop(t)
	d := NewDesktop(nil)
	defer d.Close(t.Context())
	raise := func(n Notice) (mute bool) {
		t.Helper()
		mute, err := d.Raise(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		return mute
	}
	file := filepath.Join(t.TempDir(), "shot.png")
	red := func() bool { // as dunst is told to draw what is critical
		t.Helper()
		sh("shot", file)
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		img, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		r, g, b, _ := img.At(1260, 60).RGBA()
		return r>>8 == 0x5a && g>>8 == 0x1d && b>>8 == 0x1d
	}
	n := ask("s1")
	if !raise(n) {
		t.Error("it plays no sound, but ours is not wanted")
	}
	until(t, "the notice", func() bool { return sh("run", "dunstctl", "count", "displayed") == "1" })
	if red() {
		t.Error("it is critical")
	}
	n.Critical, n.Replaces = true, true
	raise(n)
	until(t, "it to be critical", red)
	sh("run", "dunstctl", "set-paused", "true")
	n.Replaces = true
	if raise(n) {
		t.Error("our sound is wanted in a pause")
	}
	sh("run", "dunstctl", "set-paused", "false")
	if !raise(n) {
		t.Error("our sound is not wanted any more")
	}
}
