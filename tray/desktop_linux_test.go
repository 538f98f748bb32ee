package tray

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"

	"deskbell/engine"
	"deskbell/testdata/bus"
	"deskbell/tray/internal/sni"
)

// screen is a real desktop that nobody looks at.
type screen struct {
	t     *testing.T
	dir   string
	scale int
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

// shot is what a part of the screen looks like.
func (s screen) shot(part image.Rectangle) image.Image {
	s.t.Helper()
	file := filepath.Join(s.dir, "shot.png")
	s.run("shot", file, fmt.Sprintf("%dx%d+%d+%d", part.Dx(), part.Dy(), part.Min.X, part.Min.Y))
	data, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(err)
	}
	return moved{decode(s.t, data), part.Min}
}

// moved is a picture that begins somewhere else.
type moved struct {
	image.Image
	to image.Point
}

func (m moved) At(x, y int) color.Color { return m.Image.At(x-m.to.X, y-m.to.Y) }

// panel is the right half of the panel, at the upper edge of the screen; desk is what
// lies below it.
func (s screen) panel() image.Rectangle {
	return image.Rect(640*s.scale, 0, 1280*s.scale, 28*s.scale)
}
func (s screen) desk() image.Rectangle {
	return image.Rect(0, 32*s.scale, 1280*s.scale, 400*s.scale)
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

var shots = flag.String("shots", "", "keep pictures of the real desktop in this folder")

// keep keeps a picture of the screen for somebody to look at.
func (s screen) keep(name string) {
	if *shots != "" {
		name = strings.NewReplacer("/", "-", " ", "-", ",", "").Replace(s.t.Name()+"-"+name) + ".png"
		s.run("shot", filepath.Join(*shots, name))
	}
}

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

// menu waits until a menu is open, or is not. The desk behind it is plain.
func (s screen) menu(open bool) {
	s.t.Helper()
	until(s.t, fmt.Sprintf("menu open: %v", open), func() bool {
		hidden := s.hidden()
		return open && hidden > 10000 || !open && hidden == 0
	})
}

// submenu waits until one more menu is open than before.
func (s screen) submenu(before int) {
	s.t.Helper()
	until(s.t, "a submenu", func() bool { return s.hidden() > before+2000 })
}

// hidden is how much of the desk cannot be seen.
func (s screen) hidden() int {
	s.t.Helper()
	bare, below := color.NRGBA{0x3a, 0x6e, 0xa5, 0xff}, s.desk()
	_, n := spot(s.shot(below), below, bare)
	return below.Dx()*below.Dy() - n
}

// C112: on dark and light panels, and fine ones.
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
	for _, host := range []string{"xfce", "lxqt"} {
		for _, look := range []struct {
			name, shade string
			scale       int
		}{{"light", "--light", 1}, {"dark, twice as fine", "--dark", 2}} {
			t.Run(host+" "+look.name, func(t *testing.T) {
				if _, err := exec.LookPath(host + "-panel"); host == "lxqt" && err != nil {
					t.Skip("lxqt-panel is missing; it is in the Debian package lxqt-panel")
				}
				onDesktop(t, look.scale, "--host", host, look.shade, "--scale", fmt.Sprint(look.scale), "--size", fmt.Sprintf("%dx%d", 1280*look.scale, 800*look.scale))
			})
		}
	}
}

func onDesktop(t *testing.T, scale int, options ...string) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "deskbell-desktop") // t.TempDir is too long for the name of a socket
	if err != nil {
		t.Fatal(err)
	}
	s := screen{t, filepath.Join(dir, "d"), scale}
	t.Cleanup(func() { s.run("stop"); os.RemoveAll(dir) })
	s.run(append([]string{"start", "--no-notify"}, options...)...)

	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	m := verbsExample()
	c := launch(t, exec.Command(script, "run", self), append(os.Environ(), "DESKTOP_DIR="+s.dir), &m, "menu")
	place := s.find(m.Icon)
	s.keep("icon")

	conn := s.bus()
	read := func() {
		t.Helper()
		until(t, "one icon with the menu", func() bool {
			items := sni.Registered(conn)
			if len(items) != 1 {
				return false
			}
			got, err := items[0].Menu()
			return err == nil && slices.Equal(got.Text(), rowsOf(m))
		})
	}
	read()

	choose := func(want string, keys ...string) {
		t.Helper()
		s.run("tray", "3")
		s.menu(true)
		for i, key := range keys {
			before := 0
			if key == "Right" {
				before = s.hidden()
			}
			s.run("key", key)
			if key == "Right" {
				s.keep(fmt.Sprint("menu", i))
				s.submenu(before)
			}
		}
		if got := c.hear("click"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		s.menu(false)
	}
	choose("click open s1", "Down", "Return") // the first row that is not disabled
	// From below: Quit, Settings…, then Pin with its two sessions, the last of them pinned.
	choose("click pin s1 off", "Up", "Up", "Up", "Right", "Down", "Return")

	if scale == 1 {
		s.run("stop-panel")
		s.run("start-panel")
		s.find(m.Icon)
		during(t, 2*late, "one icon", func() bool { return len(sni.Registered(conn)) <= 1 })
		read()
		choose("click open s1", "Down", "Return")

		c.tell("spoil") // the library's own watch: ours must do
		c.hear("spoilt <nil>")
		s.run("stop-panel")
		s.run("start-panel")
		s.find(m.Icon)
		read()
	}

	for _, i := range []Icon{
		{Kind: Needs, Status: engine.Input, Count: 3}, {Kind: Needs, Status: engine.Input, Count: 8}, {Kind: Needs, Status: engine.Waiting, Count: 1},
		{Kind: Needs, Status: engine.Waiting, Count: 12}, {Kind: Needs, Status: engine.Approval, Count: 6, Muted: true}, {Kind: Busy}, {Kind: Quiet}, {},
		{Kind: Busy, Muted: true}, {Kind: Quiet, Muted: true}, {Kind: Busy, Wrong: true}, {Kind: Needs, Status: engine.Waiting, Count: 4, Wrong: true},
	} {
		c.show(Menu{Icon: i, Items: m.Items})
		s.wears(place, i)
	}
	c.stop()
}
