package tray

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	watcher     = "org.kde.StatusNotifierWatcher"
	watcherPath = "/StatusNotifierWatcher"
	callTime    = 2 * time.Second
	// late is how long after a tray host comes up the library has had its
	// chance to register with it.
	late = 500 * time.Millisecond
)

// The messages of [Options.Say] that only this system has.
const (
	noBus  = "no desktop session to show a tray icon in (%v); deskbell runs on without"
	noHost = "this desktop shows no tray icons (nothing provides " + watcher + "); the icon appears when something does"
)

// desk is the desktop session, seen over a connection of our own to its bus.
// The systray library uses the process-wide one, stops to look after its
// registration when it hears anything unforeseen there, and panics when it is
// lost, so nobody else may use that, and somebody must watch.
type desk struct {
	conn    *dbus.Conn
	end     context.CancelFunc
	signals chan *dbus.Signal
}

// reach connects to the session bus. Without one it tries again only when there
// is something to draw, and not often.
func (t *Tray) reach(ctx context.Context, want func() Menu) (*desk, func() Menu, bool) {
	for said := false; ; said = true {
		tried := time.Now()
		d, err := dial(ctx)
		if err == nil {
			return d, want, true
		}
		if ctx.Err() == nil && !said {
			t.options.Say(fmt.Sprintf(noBus, err))
		}
		var ok bool
		if want, ok = t.wait(ctx, tried, t.retry); !ok {
			return nil, want, false
		}
	}
}

// dial connects without ever starting a bus.
func dial(ctx context.Context) (*desk, error) {
	own, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, end) // a bus that does not answer must not hold us up
	defer stop()
	conn, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(own))
	if err != nil {
		end()
		return nil, err
	}
	d := &desk{conn: conn, end: end, signals: make(chan *dbus.Signal, 16)}
	if err = conn.Auth(nil); err == nil {
		err = conn.Hello()
	}
	if err == nil {
		err = conn.AddMatchSignal(
			dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchInterface("org.freedesktop.DBus"),
			dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, watcher))
	}
	if err != nil {
		d.close()
		return nil, err
	}
	conn.Signal(d.signals)
	return d, nil
}

func (d *desk) close() { d.end(); d.conn.Close() }

// gone is closed when the bus is.
func (d *desk) gone() <-chan struct{} { return d.conn.Context().Done() }

// item is the name the systray library takes on the bus.
func item() string { return fmt.Sprintf("org.kde.StatusNotifierItem-%d-1", os.Getpid()) }

// up reports whether the library has its connection. Without one it must not
// be told to quit.
func (d *desk) up() bool {
	_, err := d.holder(item())
	return err == nil
}

func (d *desk) holder(name string) (unique string, err error) {
	ctx, cancel := context.WithTimeout(d.conn.Context(), callTime)
	defer cancel()
	err = d.conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetNameOwner", 0, name).Store(&unique)
	return unique, err
}

// attend sees to it that tray hosts know the icon, whenever they come up, and
// says so once where there is none.
func (d *desk) attend(ctx context.Context, say func(string), patience time.Duration) {
	missing, check := time.NewTimer(patience), time.NewTimer(late)
	defer missing.Stop()
	defer check.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.gone():
			return
		case s := <-d.signals:
			if s == nil {
				return
			}
			if len(s.Body) == 3 && s.Body[2] != "" {
				check.Reset(late)
			}
		case <-check.C:
			d.register()
		case <-missing.C:
			if _, err := d.holder(watcher); err != nil && d.conn.Connected() {
				say(noHost)
			}
		}
	}
}

// register tells the tray host of the icon, unless the library has done so.
func (d *desk) register() {
	unique, err := d.holder(item())
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(d.conn.Context(), callTime)
	defer cancel()
	host := d.conn.Object(watcher, watcherPath)
	var known dbus.Variant
	err = host.CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart, watcher, "RegisteredStatusNotifierItems").Store(&known)
	if names, ok := known.Value().([]string); err == nil && ok && registered(names, unique, item()) {
		return
	}
	// By the connection's own name, as the library does: under another it would be a
	// second icon, should the library have been late.
	host.CallWithContext(ctx, watcher+".RegisterStatusNotifierItem", dbus.FlagNoAutoStart, unique)
}

// registered looks for an item in a host's list. Hosts write the name and the
// path together, each in its own way.
func registered(known []string, names ...string) bool {
	for _, k := range known {
		for _, name := range names {
			if rest, ok := strings.CutPrefix(k, name); ok && (rest == "" || rest[0] == '/' || rest[0] == '@') {
				return true
			}
		}
	}
	return false
}
