package notify

import (
	"context"
	"os/exec"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

// patient is how long a desktop is asked whether it wants no disturbance.
const patient = time.Second

// The names at which desktops tell whether they want no disturbance.
const (
	cmd0        = "org.dunstproject.cmd0"
	xfconf      = "org.xfce.Xfconf"
	xfconfPath  = dbus.ObjectPath("/org/xfce/Xfconf")
	propertyGet = "org.freedesktop.DBus.Properties.Get"
)

// quiets is how a service is asked, by its name. It is asked when a notice is to
// sound, and never else.
var quiets = map[string]func(context.Context, *server) bool{
	"dunst": func(ctx context.Context, s *server) bool {
		return truth(s.conn.Object(s.owner, object).CallWithContext(ctx, propertyGet, 0, cmd0, "paused"))
	},
	"Xfce Notify Daemon": func(ctx context.Context, s *server) bool {
		return truth(s.conn.Object(xfconf, xfconfPath).CallWithContext(ctx, xfconf+".GetProperty", dbus.FlagNoAutoStart,
			"xfce4-notifyd", "/do-not-disturb"))
	},
	"gnome-shell": func(ctx context.Context, _ *server) bool {
		out, err := exec.CommandContext(ctx, "gsettings", "get", "org.gnome.desktop.notifications", "show-banners").Output()
		return err == nil && strings.TrimSpace(string(out)) == "false"
	},
}

// inhibited is the property KDE's service has, and perhaps others.
func inhibited(ctx context.Context, s *server) bool {
	return truth(s.conn.Object(s.owner, object).CallWithContext(ctx, propertyGet, 0, service, "Inhibited"))
}

// quiet reports whether the desktop says that it wants no disturbance. One that does not
// say is not left alone.
func (b *bus) quiet(ctx context.Context, s *server) bool {
	ctx, cancel := context.WithTimeout(ctx, patient)
	defer cancel()
	if ask := quiets[s.name]; ask != nil {
		return ask(ctx, s)
	}
	return inhibited(ctx, s)
}

func truth(c *dbus.Call) bool {
	var v dbus.Variant
	yes := false
	return c.Store(&v) == nil && v.Store(&yes) == nil && yes
}
