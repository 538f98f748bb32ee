package notify

import (
	"context"
	"testing"
	"time"

	"deskbell/notify/internal/notifyd"
)

// Where the desktop says that it wants no disturbance our own sound is not played, and
// where it plays sounds itself it is not asked to.
func TestQuiet(t *testing.T) {
	yes := func(iface, property string) func(*testing.T, *notifyd.Bus, *notifyd.Service) {
		return func(t *testing.T, _ *notifyd.Bus, s *notifyd.Service) { s.Tell(t, iface, property, true) }
	}
	no := func(iface, property string) func(*testing.T, *notifyd.Bus, *notifyd.Service) {
		return func(t *testing.T, _ *notifyd.Bus, s *notifyd.Service) { s.Tell(t, iface, property, false) }
	}
	xfce := func(on bool) func(*testing.T, *notifyd.Bus, *notifyd.Service) {
		return func(t *testing.T, b *notifyd.Bus, _ *notifyd.Service) {
			b.Configure(t, "xfce4-notifyd", "/do-not-disturb", on)
		}
	}
	gnome := func(says string) func(*testing.T, *notifyd.Bus, *notifyd.Service) {
		return func(t *testing.T, _ *notifyd.Bus, _ *notifyd.Service) {
			shims(t, `test "$*" = "get org.gnome.desktop.notifications show-banners" && `+says, "gsettings")
		}
	}
	nothing := func(*testing.T, *notifyd.Bus, *notifyd.Service) {}
	for _, c := range []struct {
		name, service string
		says          func(*testing.T, *notifyd.Bus, *notifyd.Service)
		quiet         bool
	}{
		{"KDE", "Plasma", yes(service, "Inhibited"), true},
		{"KDE, free", "Plasma", no(service, "Inhibited"), false},
		{"dunst", "dunst", yes(cmd0, "paused"), true},
		{"dunst, free", "dunst", no(cmd0, "paused"), false},
		{"Xfce", "Xfce Notify Daemon", xfce(true), true},
		{"Xfce, free", "Xfce Notify Daemon", xfce(false), false},
		{"Xfce without settings", "Xfce Notify Daemon", nothing, false},
		{"GNOME", "gnome-shell", gnome("echo false"), true},
		{"GNOME, free", "gnome-shell", gnome("echo true"), false},
		{"GNOME, no such setting", "gnome-shell", gnome("exit 1"), false},
		{"one that does not say", "mako", nothing, false},
	} {
		for _, sounds := range []bool{false, true} {
			t.Run(c.name+map[bool]string{true: ", sounds itself"}[sounds], func(t *testing.T) {
				b := notifyd.NewBus(t)
				caps := []string{"body"}
				if sounds {
					caps = append(caps, "sound")
				}
				s := b.ServeAs(t, c.service, caps...)
				c.says(t, b, s)
				d := NewDesktop(nil)
				defer d.Close(t.Context())
				n := ask("s1")
				n.bell = "/x/bell.wav"
				mute, err := d.Raise(t.Context(), n)
				if err != nil {
					t.Fatal(err)
				}
				if want := !sounds && !c.quiet; mute != want {
					t.Errorf("the bell may ring: got %v, want %v", mute, want)
				}
				got := s.Next(t)
				file, _ := got.Hints["sound-file"].Value().(string)
				if want := map[bool]string{true: "/x/bell.wav"}[sounds && !c.quiet]; file != want {
					t.Errorf("got the sound %q, want %q", file, want)
				}
				if silent := got.Hints["suppress-sound"].Value() == true; silent != (file == "") {
					t.Errorf("suppress-sound is %v with the sound %q", silent, file)
				}
			})
		}
	}
}

// It is asked when a notice is to sound, and never else.
func TestQuietIsNotPolled(t *testing.T) {
	b := notifyd.NewBus(t)
	s := b.ServeAs(t, "dunst", "body")
	asked := s.Tell(t, cmd0, "paused", true)
	d := NewDesktop(nil)
	defer d.Close(t.Context())
	n := ask("s1")
	n.Sound = false
	for want, sound := range []bool{false, true, true} {
		n.Sound = sound
		if _, err := d.Raise(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		if got := asked.Load(); got != int32(want) {
			t.Errorf("asked %d times, want %d", got, want)
		}
	}
}

// A desktop that does not answer is not waited for long, and the notice is up (C95).
func TestQuietStuckC95(t *testing.T) {
	b := notifyd.NewBus(t)
	s := b.ServeAs(t, "dunst", "body")
	never := make(chan struct{})
	defer close(never)
	s.Tell(t, cmd0, "paused", (<-chan struct{})(never))
	d := NewDesktop(nil)
	defer d.Close(context.Background())
	began := time.Now()
	mute, err := d.Raise(t.Context(), ask("s1"))
	if err != nil || !mute {
		t.Errorf("got %v, %v", mute, err)
	}
	if took := time.Since(began); took > 3*patient {
		t.Errorf("it took %v", took)
	}
	s.Next(t)
}
