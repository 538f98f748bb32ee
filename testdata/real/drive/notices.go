package main

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	noticeName = "org.freedesktop.Notifications"
	noticePath = dbus.ObjectPath("/org/freedesktop/Notifications")
)

// notice is one call of Notify as the notification daemon got it.
type notice struct {
	At   time.Time
	ID   uint32
	Kind string
}

// notices is a notification daemon that remembers what it was told.
type notices struct {
	conn *dbus.Conn
	log  *journal

	mu    sync.Mutex // D-Bus calls come on goroutines of their own
	last  uint32     // guarded by mu
	open  []notice   // guarded by mu; those on the screen
	rings []notice   // guarded by mu; those that did not replace one on the screen
}

// serveNotices owns the name of the notification daemon on the bus.
func serveNotices(addr string, log *journal) (*notices, error) {
	conn, err := dbus.Connect(addr)
	if err != nil {
		return nil, err
	}
	n := &notices{conn: conn, log: log}
	err = conn.ExportMethodTable(map[string]any{
		"Notify": n.notify, "CloseNotification": n.close,
		"GetCapabilities": func() ([]string, *dbus.Error) {
			return []string{"actions", "body", "body-markup", "persistence", "sound"}, nil
		},
		"GetServerInformation": func() (string, string, string, string, *dbus.Error) {
			return "witness", "deskbell", "1", "1.2", nil
		},
	}, noticePath, noticeName)
	if err != nil {
		return nil, err
	}
	_, err = conn.RequestName(noticeName, dbus.NameFlagDoNotQueue)
	return n, err
}

func (n *notices) notify(_ string, replaces uint32, _, summary, body string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	now := time.Now()
	n.mu.Lock()
	defer n.mu.Unlock()
	note := notice{At: now, ID: replaces, Kind: kind(summary)}
	if note.ID == 0 {
		n.last++
		note.ID = n.last
	}
	how := "rings" // one of another kind in place of one that is up rings too
	if before, up := n.dropLocked(note.ID); up && before == note.Kind {
		how = "updates"
	} else {
		n.rings = append(n.rings, note)
	}
	n.open = append(n.open, note)
	n.log.note(now, "NOTICE", "%s %d %s: %q %q", how, note.ID, note.Kind, summary, body)
	return note.ID, nil
}

func (n *notices) close(id uint32) *dbus.Error {
	n.log.now("NOTICE", "closed %d", id)
	n.mu.Lock()
	n.dropLocked(id)
	n.mu.Unlock()
	n.conn.Emit(noticePath, noticeName+".NotificationClosed", id, uint32(3))
	return nil
}

// dropLocked takes a notice off the screen and tells what kind it was.
func (n *notices) dropLocked(id uint32) (kind string, up bool) {
	i := slices.IndexFunc(n.open, func(o notice) bool { return o.ID == id })
	if i < 0 {
		return "", false
	}
	kind = n.open[i].Kind
	n.open = slices.Delete(n.open, i, i+1)
	return kind, true
}

// tally returns what rang and what is still on the screen.
func (n *notices) tally() (rings, open []notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.rings), slices.Clone(n.open)
}

// kind tells a notice by its title, whose words are fixed.
func kind(title string) string {
	for _, k := range []struct{ words, kind string }{
		{"approv", "approval"}, {"asks you", "input"}, {"your turn", "waiting"},
	} {
		if strings.Contains(title, k.words) {
			return k.kind
		}
	}
	return "other"
}
