package tray

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"deskbell/engine"
	"deskbell/testdata/bus"
	"deskbell/tray/internal/sni"
)

// screen is a real desktop that nobody looks at.
type screen struct {
	t   *testing.T
	dir string
}

const script = "../testdata/desktop/desktop.sh"

// run runs the desktop's script.
func (s screen) run(args ...string) string {
	s.t.Helper()
	cmd := exec.Command(script, args...)
	cmd.Env = append(os.Environ(), "DESKTOP_DIR="+s.dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("desktop.sh %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// shot is what the screen looks like.
func (s screen) shot() image.Image {
	s.t.Helper()
	file := filepath.Join(s.dir, "shot.png")
	s.run("shot", file)
	data, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(err)
	}
	return decode(s.t, data)
}

// bus connects to the desktop's bus.
func (s screen) bus() *dbus.Conn {
	s.t.Helper()
	_, addr, _ := strings.Cut(s.run("env"), "DBUS_SESSION_BUS_ADDRESS='")
	addr, _, _ = strings.Cut(addr, "'")
	conn, err := dbus.Connect(addr)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	return conn
}

// panel is the height of the panel, at the upper edge of the screen.
const panel = 28

// spot is where a colour is to be seen in a part of a picture, and how much.
func spot(img image.Image, part image.Rectangle, c color.NRGBA) (where image.Rectangle, n int) {
	near := func(a uint32, b uint8) bool { d := int(a>>8) - int(b); return -12 <= d && d <= 12 }
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); near(r, c.R) && near(g, c.G) && near(b, c.B) {
				where, n = where.Union(image.Rect(x, y, x+1, y+1)), n+1
			}
		}
	}
	return where, n
}

// icon waits for a disc of this colour with a digit in it, or a bell, that is
// as large as the panel lets icons be.
func (s screen) icon(c color.NRGBA) {
	s.t.Helper()
	var got string
	until(s.t, fmt.Sprintf("an icon in %v", c), func() bool {
		where, n := spot(s.shot(), image.Rect(0, 0, 1280, panel), c)
		got = fmt.Sprintf("%d pixels in %v", n, where)
		return n > 80 && where.Dx() >= 16 && where.Dx() <= 24 && where.Dy() >= 14 && where.Dy() <= 24
	})
	s.t.Log(got)
}

// menu waits until a menu is open, or is not. The desk behind it is plain.
func (s screen) menu(open bool) {
	s.t.Helper()
	desk := color.NRGBA{0x3a, 0x6e, 0xa5, 0xff}
	below := image.Rect(640, panel+2, 1280, 300)
	until(s.t, fmt.Sprintf("menu open: %v", open), func() bool {
		_, n := spot(s.shot(), below, desk)
		hidden := below.Dx()*below.Dy() - n
		return open && hidden > 10000 || !open && hidden == 0
	})
}

func TestOnARealDesktop(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	for _, p := range []struct{ program, debian string }{
		{"Xvfb", "xvfb"}, {"dbus-run-session", "dbus"}, {"gdbus", "libglib2.0-bin"}, {"openbox", "openbox"}, {"xfce4-panel", "xfce4-panel"},
		{"xfconf-query", "xfconf"}, {"xdotool", "xdotool"}, {"import", "imagemagick"}, {"xsetroot", "x11-xserver-utils"},
	} {
		bus.Need(t, p.program, p.debian)
	}
	t.Run("xfce", func(t *testing.T) { onDesktop(t, "--host", "xfce", "--light") })
	t.Run("lxqt", func(t *testing.T) {
		if _, err := exec.LookPath("lxqt-panel"); err != nil {
			t.Skip("lxqt-panel is missing; it is in the Debian package lxqt-panel")
		}
		onDesktop(t, "--host", "lxqt")
	})
}

func onDesktop(t *testing.T, options ...string) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "deskbell-desktop") // t.TempDir is too long for the name of a socket
	if err != nil {
		t.Fatal(err)
	}
	s := screen{t, filepath.Join(dir, "d")}
	t.Cleanup(func() { s.run("stop"); os.RemoveAll(dir) })
	s.run(append([]string{"start", "--no-notify"}, options...)...)

	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	m := example()
	c := launch(t, exec.Command(script, "run", self), append(os.Environ(), "DESKTOP_DIR="+s.dir), &m, "menu")
	s.icon(paint[engine.Approval][0])

	conn := s.bus()
	read := func() {
		t.Helper()
		until(t, "one icon with the menu", func() bool {
			items := sni.Registered(conn)
			if len(items) != 1 {
				return false
			}
			got, err := items[0].Menu()
			return err == nil && slices.Equal(got.Text(), exampleRows)
		})
	}
	read()

	choose := func() {
		t.Helper()
		s.run("tray", "3")
		s.menu(true)
		s.run("key", "Down", "Return") // the first row that is not disabled
		if got := c.hear("click"); got != "click open s2" {
			t.Errorf("got %q", got)
		}
		s.menu(false)
	}
	choose()

	s.run("stop-panel")
	s.run("start-panel")
	s.icon(paint[engine.Approval][0])
	during(t, 2*late, "one icon", func() bool { return len(sni.Registered(conn)) <= 1 })
	read()
	choose()

	c.tell("spoil") // the library's own watch: ours must do
	c.hear("spoilt <nil>")
	s.run("stop-panel")
	s.run("start-panel")
	s.icon(paint[engine.Approval][0])
	read()

	c.show(Build(cards(engine.Session{Status: engine.Working, Project: "web"}), Prefs{Zone: time.UTC}))
	s.icon(blue)
	c.stop()
}
